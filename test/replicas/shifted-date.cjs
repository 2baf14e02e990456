// For `node --require`: the system clock of this process is `SHIFT` seconds off.
const shift = Number(process.env.SHIFT) * 1000;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [RealDate.now() + shift] : values));
  }
  static now() {
    return RealDate.now() + shift;
  }
};
