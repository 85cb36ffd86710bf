import { describe, expect, test } from 'vitest';
import { change, coarseSpan, duration, moment, money, payIn, percent, shortModel, span, visible } from '../src/logic/format';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('span', () => {
  test.each([
    [0, '0 s'],
    [-5 * SECOND, '0 s'],
    [59_999, '59 s'],
    [MINUTE, '1 min'],
    [4 * MINUTE + 32 * SECOND, '4 min 32 s'],
    [12 * MINUTE + 59 * SECOND, '12 min'],
    [HOUR, '1 h'],
    [3 * HOUR + 20 * MINUTE, '3 h 20 min'],
    [52 * HOUR, '2 d 4 h'],
  ])('%i ms is %s', (millis, text) => expect(span(millis)).toBe(text));

  test('what lies back does not count seconds', () => {
    expect(coarseSpan(40 * SECOND)).toBe('< 1 min');
    expect(coarseSpan(4 * MINUTE + 32 * SECOND)).toBe('4 min');
  });
});

describe('duration', () => {
  test.each([
    ['30m', '30 min'],
    ['1h30m', '1 h 30 min'],
    ['PT30M', '30 min'],
    ['P1DT2H', '1 d 2 h'],
    [1800, '30 min'],
    ['soon', 'soon'],
    [undefined, '–'],
  ])('%s is %s', (value, text) => expect(duration(value)).toBe(text));
});

describe('change', () => {
  test.each([
    [0.31, '31 % more than before'],
    [-0.22, '22 % less than before'],
    [0.004, 'as before'],
    [undefined, ''],
    [NaN, ''],
  ])('%s is %s', (share, text) => expect(change(share)).toBe(text));
});

test('money is in the currency of the price book, and what is none changes nothing', () => {
  payIn('EUR');
  expect(money(12.5)).toBe('€12.50');
  payIn('<b>');
  expect(money(1250)).toBe('€1,250');
  payIn(undefined);
  payIn('USD');
  expect(money(12.5)).toBe('$12.50');
});

describe('percent', () => {
  test.each([
    [0, '0 %'],
    [0.0002, '< 0.1 %'],
    [0.003, '0.3 %'],
    [0.05, '5 %'],
    [0.914, '91 %'],
    [1, '100 %'],
    [null, '–'],
    [NaN, '–'],
  ])('%s is %s', (share, text) => expect(percent(share)).toBe(text));
});

test('money has cents only while they matter', () => {
  expect(money(55.2)).toBe('$55.20');
  expect(money(5210.4)).toBe('$5,210');
  expect(money(undefined)).toBe('–');
});

describe('moment', () => {
  const now = Date.UTC(2026, 10, 2, 12, 0);
  test.each([
    ['2026-11-02T10:15:00Z', '10:15 UTC'],
    ['2026-11-01T23:59:00Z', '1 Nov, 23:59 UTC'],
    ['2025-12-24T08:00:00Z', '24 Dec 2025, 08:00 UTC'],
    ['not a time', '–'],
    [undefined, '–'],
  ])('%s is %s', (iso, text) => expect(moment(iso, now)).toBe(text));
});

describe('shortModel', () => {
  test.each([
    ['NVIDIA H100 80GB HBM3', 'H100 80GB'],
    ['NVIDIA A100-SXM4-40GB', 'A100 40GB'],
    ['Tesla T4', 'T4'],
    ['NVIDIA L40S', 'L40S'],
    ['AMD Instinct MI300X', 'MI300X'],
    ['NVIDIA', 'NVIDIA'],
    ['', ''],
  ])('%s is %s', (model, text) => expect(shortModel(model)).toBe(text));
});

test('what could make text look like something else is shown', () => {
  expect(visible('a\u202egnp.exe\u0007b\nc')).toBe('a\ufffdgnp.exe\ufffdb c');
  expect(visible('Grüße, 日本')).toBe('Grüße, 日本');
});
