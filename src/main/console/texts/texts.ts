import type {Texts} from './en.js';

/** The texts of the console in the language of the user. */
export let t: Texts;

const CHOICE = 'acp.language';
/** The languages of the console, with their own names. */
export const LANGUAGES = {en: 'English', de: 'Deutsch'} as const;
export type Language = keyof typeof LANGUAGES;

/** Languages that are written from right to left. */
const FROM_THE_RIGHT = ['ar', 'fa', 'he', 'ur'];

const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'de';

/** The language that the user has chosen, otherwise the first language of the browser that the console has, otherwise English. */
export function language(): Language {
  const chosen = localStorage.getItem(CHOICE);
  return isLanguage(chosen) ? chosen : navigator.languages.map(one => one.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** Loads the texts and sets the language and writing direction of the document. */
export async function readTexts(): Promise<void> {
  t = language() === 'de' ? (await import('./de.js')).texts : (await import('./en.js')).texts;
  document.documentElement.lang = language();
  document.documentElement.dir = FROM_THE_RIGHT.includes(language()) ? 'rtl' : 'ltr';
}

/** Changes the language and reloads the page. */
export function choose(chosen: Language): void {
  localStorage.setItem(CHOICE, chosen);
  location.reload();
}
