/** Something that the user can put right; its message is all that is shown. */
export class BootstrapError extends Error {}
