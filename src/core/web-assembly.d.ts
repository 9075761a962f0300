/** WebAssembly is known to every place this runs in, but not to the types of a program without a page. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  readonly RuntimeError: new () => Error;
};
