import type {Cases} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {day, groupThousands} from './dates.js';
import {documentOf} from './names.js';

/** The fields of a document in the order of its form. */
export const fieldsOf = (documentID: string): Cases.SchemaField[] => sectionsOf(documentID).flatMap(section => section.fields);

/** The sections of a document and their fields in the order of its form. */
export const sectionsOf = (documentID: string): Cases.SchemaSection[] => [...documentOf(documentID)?.sections ?? []].sort((one, other) => one.sortOrder - other.sortOrder)
    .map(section => ({...section, fields: [...section.fields].sort((one, other) => one.sortOrder - other.sortOrder)}));

/**
 * The values of a filing with the names of their fields, in the order of the form. Values whose field is no longer in the form follow, with the field
 * ID as name.
 */
export function fieldNames(documentID: string, values: Record<string, unknown>): {name: string; value: string}[] {
  const known = fieldsOf(documentID);
  const shown = known.filter(field => values[field.id] !== undefined && values[field.id] !== '').map(field => ({name: field.displayName, value: valueOf(field.type, values[field.id])}));
  const others = Object.keys(values).filter(id => !known.some(field => field.id === id)).map(id => ({name: id, value: String(values[id])}));
  return [...shown, ...others];
}

function valueOf(type: Cases.SchemaField['type'], value: unknown): string {
  if (type === 'boolean') {
    return String(value) === 'true' ? t.filing.yes : t.filing.no;
  }
  if (type === 'currency' || type === 'decimal') {
    return groupThousands(String(value));
  }
  return type === 'date' && /^\d{4}-\d\d-\d\d$/.test(String(value)) ? day(String(value)) : String(value);
}
