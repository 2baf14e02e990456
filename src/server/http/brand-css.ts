/** The name of the stylesheet for a color: `brand-0f766e.css`. */
export function brandSheet(color: string): string {
  const digits = color.slice(1).toLowerCase();
  return `brand-${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}.css`;
}

/** The stylesheet with a name of that form; undefined for any other name. It never touches the strip that says "sandbox". */
export function brandCss(name: string): string | undefined {
  const color = /^brand-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  if (color === undefined) return undefined;
  return `.gate{--brand:#${color};--on-brand:${readableOn(color)}}
.gate-main .button.primary{border-color:var(--brand);background:var(--brand);color:var(--on-brand)}
.gate-head{margin:-28px -18px var(--s1);padding:24px 18px 20px;border-radius:var(--r3) var(--r3) 0 0;background:var(--brand);color:var(--on-brand)}
.gate-head .lead{color:inherit}
.gate-head .app-mark:not(img){background:var(--on-brand);color:var(--brand)}
`;
}

/** Black or white, whichever has the better contrast; the better one has at least 4.58 to 1 on any color (WCAG 2.2 §1.4.3). */
function readableOn(color: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(at =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000' : '#fff';
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
