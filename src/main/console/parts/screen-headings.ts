import {type TemplateResult, html, nothing} from 'lit';
import {ref} from 'lit/directives/ref.js';
import {t} from '../texts/texts.js';
import {addressOf} from './route.js';
import {scrollToCurrentTab} from './scroll-into-view.js';
import {isAdministrator, organization} from './session.js';

/** The tabs of the organization. */
export type OrganizationPart = 'members' | 'programs';
/** The tabs of the deliveries to the organization's servers. */
export type DeliveriesPart = 'deliveries' | 'events';
/** The tabs of the administration of the platform. */
export type AdministrationPart = 'people' | 'programs' | 'permissions' | 'prompts' | 'templates' | 'keys';

const ADMINISTRATION: AdministrationPart[] = ['people', 'programs', 'permissions', 'prompts', 'templates', 'keys'];

const parts = (label: string, all: {name: string; address: string; isCurrent: boolean}[]): TemplateResult => html`<nav class="tabs parts" aria-label=${label} ${ref(scrollToCurrentTab)}>${all.map(one =>
  html`<a class="tab" href=${one.address} aria-current=${one.isCurrent ? 'page' : nothing}>${one.name}</a>`)}</nav>`;

/** The heading and tabs of the screens of the organization for which the session acts. */
export function organizationHead(current: OrganizationPart): TemplateResult {
  const one = organization();
  const all: OrganizationPart[] = one?.isAdministrator ? ['members', 'programs'] : ['members'];
  document.title = `${one?.name ?? t.organization.name} – ${t.brand}`;
  return html`<div class="top"><h1>${one?.name ?? t.organization.name}</h1><p class="soft">${one ? one.isAdministrator ? t.organization.youAdminister : t.organization.youBelong : t.organization.forNone}</p></div>
    ${all.length > 1 ? parts(t.organization.parts, all.map(part => ({name: t.organization.tabs[part], address: part === 'members' ? addressOf('organization') : addressOf('organization', part), isCurrent: part === current}))) : nothing}`;
}

/** The heading and tabs of the screens of deliveries and events. */
export function deliveriesHead(current: DeliveriesPart): TemplateResult {
  const name = current === 'deliveries' ? t.deliveries.name : t.events.name;
  document.title = `${name} – ${t.brand}`;
  return html`<div class="top"><h1>${name}</h1><p class="soft">${current === 'deliveries' ? t.deliveries.lead : t.events.lead}</p></div>
    ${parts(t.deliveries.parts, [{name: t.deliveries.name, address: addressOf('deliveries'), isCurrent: current === 'deliveries'}, {name: t.events.name, address: addressOf('deliveries', 'events'), isCurrent: current === 'events'}])}`;
}

/** The heading and tabs of the screens for administrators of the platform. */
export function administrationHead(current: AdministrationPart): TemplateResult {
  document.title = `${t.administration.tabs[current]} – ${t.administration.name} – ${t.brand}`;
  return html`<div class="top"><h1>${t.administration.name}</h1><p class="soft">${t.administration.lead[current]}</p></div>
    ${parts(t.administration.parts, ADMINISTRATION.map(part => ({name: t.administration.tabs[part], address: part === 'people' ? addressOf('administration') : addressOf('administration', part), isCurrent: part === current})))}`;
}

/** Shows a screen to administrators of the platform, and a notice to everybody else. */
export const forAdministrators = (show: () => unknown): unknown => isAdministrator() ? show() : html`<div class="top"><h1>${t.administration.name}</h1></div><p class="notice warn">${t.administration.notYours}</p>`;
