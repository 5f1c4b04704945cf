/** workerd hands a `.bin` import over as bytes. */
declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}
