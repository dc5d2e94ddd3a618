/** With it the components' own style elements are allowed; the gateway writes it into the page, another one each time. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Where `react-remove-scroll`, which dialogs use, looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });
