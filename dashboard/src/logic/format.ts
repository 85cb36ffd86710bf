const inCents = (currency: string) => new Intl.NumberFormat('en-US', { style: 'currency', currency });
const inWhole = (currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 });
let paid = 'USD';
let cents = inCents(paid);
let whole = inWhole(paid);

/** All money is in the currency of the server's price book. */
export function payIn(currency: string | undefined): void {
  if (currency && currency !== paid && /^[A-Z]{3}$/.test(currency)) {
    paid = currency;
    cents = inCents(paid);
    whole = inWhole(paid);
  }
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

export const UNKNOWN = '–';

/** Cents matter only in small amounts. */
export function money(amount: number | null | undefined): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) {
    return UNKNOWN;
  }
  return Math.abs(amount) < 1000 ? cents.format(amount) : whole.format(amount);
}

export function amount(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? UNKNOWN : numbers.format(value);
}

/** A share from 0 to 1 in percent; a little is not shown as nothing. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) {
    return UNKNOWN;
  }
  const value = share * 100;
  if (value > 0 && value < 0.1) {
    return '< 0.1 %';
  }
  return `${value < 10 && value > 0 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0)} %`;
}

/** How much more than before, in words; nothing where there is nothing to compare with. */
export function change(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) {
    return '';
  }
  const points = Math.round(Math.abs(share) * 100);
  return points === 0 ? 'as before' : `${points} % ${share > 0 ? 'more' : 'less'} than before`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in at most two units: 45 s, 4 min 30 s, 52 min, 3 h 20 min, 2 d 4 h. */
export function span(millis: number): string {
  const length = Math.max(0, millis);
  if (length < MINUTE) {
    return `${Math.floor(length / SECOND)} s`;
  }
  if (length < 10 * MINUTE) {
    return two(length, MINUTE, 'min', SECOND, 's');
  }
  if (length < HOUR) {
    return `${Math.floor(length / MINUTE)} min`;
  }
  return length < DAY ? two(length, HOUR, 'h', MINUTE, 'min') : two(length, DAY, 'd', HOUR, 'h');
}

/** The same without seconds, for what lies back and need not count. */
export function coarseSpan(millis: number): string {
  return millis < MINUTE ? '< 1 min' : millis < 10 * MINUTE ? `${Math.floor(millis / MINUTE)} min` : span(millis);
}

function two(length: number, large: number, largeName: string, small: number, smallName: string): string {
  const whole = Math.floor(length / large);
  const rest = Math.floor((length - whole * large) / small);
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const twoDigits = (value: number) => String(value).padStart(2, '0');

export function timeOfDay(at: Date): string {
  return `${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}`;
}

export function dayOf(at: Date): string {
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;
}

/** A moment in UTC, like those in the server's sentences; the day is left out if it is today. */
export function moment(iso: string | number | null | undefined, now: number): string {
  const at = new Date(iso ?? NaN);
  if (Number.isNaN(at.getTime())) {
    return UNKNOWN;
  }
  const today = new Date(now);
  const sameDay = at.toISOString().slice(0, 10) === today.toISOString().slice(0, 10);
  const year = at.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`;
  return sameDay ? `${timeOfDay(at)} UTC` : `${dayOf(at)}${year}, ${timeOfDay(at)} UTC`;
}

/** What sets a card apart, without the words that all of them have: H100 80GB, A100 40GB, MI300X. */
export function shortModel(model: string): string {
  const memory = /\b(\d+)\s?GB\b/i.exec(model)?.[1];
  const name = model
    .replace(/\b\d+\s?GB\b/gi, ' ')
    .replace(/\b(NVIDIA|AMD|Intel|Tesla|Instinct|GeForce|SXM\d?|PCIe|HBM\d\w?|NVL|OAM|Graphics|Data Center GPU)\b/gi, ' ')
    .replace(/[\s_-]+/g, ' ')
    .trim();
  const short = name || model.trim();
  return memory && name ? `${short} ${memory}GB` : short;
}

export function models(names: readonly string[] | null | undefined): string {
  return (names ?? []).map(shortModel).join(', ');
}

/** Kinds of the core and apps groups are well known; for others the group is left to the title. */
export function shortKind(kind: string): string {
  return kind.split('.')[0] || kind;
}

/**
 * Text that somebody else wrote, with what could make it look like something else made visible: control characters, and
 * those that turn the direction of writing round.
 */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (char) =>
    char === '\n' || char === '\t' ? ' ' : '\ufffd',
  );
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}

/** A length as the server writes it: in seconds, as in settings (30m, 1h30m), or as ISO 8601 (PT30M). */
export function duration(value: string | number | null | undefined): string {
  if (typeof value === 'number') {
    return span(value * SECOND);
  }
  const parts = /^(?:P(?:(\d+)D)?T?)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?$/i.exec(value ?? '');
  if (!value || !parts) {
    return value || UNKNOWN;
  }
  const number = (index: number) => Number(parts[index] ?? 0);
  return span((number(1) + number(2)) * DAY + number(3) * HOUR + number(4) * MINUTE + number(5) * SECOND);
}
