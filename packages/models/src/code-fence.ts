/** A line that begins or ends a block of code. One with a second fence, such as ```ls -la```, does neither. */
export const codeFence = /^\s{0,8}(?:`{3,}[^`]*|~{3,}[^~]*)$/;
