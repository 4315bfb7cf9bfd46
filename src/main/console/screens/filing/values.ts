import type {Cases} from '../../api/contracts.js';
import {number} from '../../parts/dates.js';
import {language, t} from '../../texts/texts.js';

type Field = Cases.SchemaField;

/** The required forms of values that a browser does not check by itself. The platform checks all of them again. */
const FORMS: Partial<Record<Field['type'], RegExp>> = {
  currency: /^([A-Za-z]{3} )?[+-]?\d+(\.\d{1,4})?( [A-Za-z]{3})?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  decimal: /^[+-]?\d+(\.\d+)?$/,
  email: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  integer: /^[+-]?\d+$/,
  month: /^(0?[1-9]|1[0-2]|\d{4}-(0[1-9]|1[0-2]))$/,
  phone: /^\+?[\d\s./()-]{6,25}$/,
  time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/,
  url: /^https?:\/\/[^\s/@]+(\/\S*)?$/,
  year: /^\d{4}$/,
  zipcode: /^(?=.*\d)[\p{L}\d](?:[ -]?[\p{L}\d]){2,9}$/u,
};

/** A value as the platform requires it. In German the decimals follow a comma, which is replaced by a point. */
export function sent(field: Field, value: string): string {
  return (field.type === 'decimal' || field.type === 'currency') && language() === 'de' && !value.includes('.') ? value.replace(',', '.') : value;
}

/**
 * What is wrong with a value; empty if nothing is.
 *
 * @param whole whether a missing value counts as wrong
 */
export function wrongWith(field: Field, value: string, whole: boolean): string {
  if (value.trim() === '') {
    return whole && field.required ? t.filing.required : '';
  }
  if (value.length > field.maxLength) {
    return t.filing.tooLong(number(field.maxLength));
  }
  if (!(FORMS[field.type]?.test(sent(field, value)) ?? true)) {
    return t.filing.form[field.type] ?? '';
  }
  return value.length < field.minLength ? t.filing.tooShort(number(field.minLength)) : '';
}

/** The values that are sent, without blank ones. */
export function filled(schema: Field[], values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '').map(([id, value]) => {
    const field = schema.find(one => one.id === id);
    return [id, field ? sent(field, value) : value];
  }));
}
