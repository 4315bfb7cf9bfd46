import {type TemplateResult, html, nothing} from 'lit';
import {ref} from 'lit/directives/ref.js';
import {t} from '../texts/texts.js';
import {at} from './route.js';
import {mayAdminister, organization} from './session.js';
import {keepInSight} from './sight.js';

export type OrganizationPart = 'members' | 'programs';
export type DeliveriesPart = 'deliveries' | 'events';
export type AdministrationPart = 'people' | 'programs' | 'permissions' | 'prompts' | 'templates' | 'keys';

const ADMINISTRATION: AdministrationPart[] = ['people', 'programs', 'permissions', 'prompts', 'templates', 'keys'];

const parts = (label: string, all: {name: string; address: string; isCurrent: boolean}[]): TemplateResult => html`<nav class="tabs parts" aria-label=${label} ${ref(keepInSight)}>${all.map(one =>
  html`<a class="tab" href=${one.address} aria-current=${one.isCurrent ? 'page' : nothing}>${one.name}</a>`)}</nav>`;

/** The top of the screens of the organization for which this person acts. */
export function organizationHead(current: OrganizationPart): TemplateResult {
  const one = organization();
  const all: OrganizationPart[] = one?.isAdministrator ? ['members', 'programs'] : ['members'];
  document.title = `${one?.name ?? t.organization.name} – ${t.brand}`;
  return html`<div class="top"><h1>${one?.name ?? t.organization.name}</h1><p class="soft">${one ? one.isAdministrator ? t.organization.youAdminister : t.organization.youBelong : t.organization.forNone}</p></div>
    ${all.length > 1 ? parts(t.organization.parts, all.map(part => ({name: t.organization.tabs[part], address: part === 'members' ? at('organization') : at('organization', part), isCurrent: part === current}))) : nothing}`;
}

/** The top of the screens of what was sent to the organization's servers. */
export function deliveriesHead(current: DeliveriesPart): TemplateResult {
  const name = current === 'deliveries' ? t.deliveries.name : t.events.name;
  document.title = `${name} – ${t.brand}`;
  return html`<div class="top"><h1>${name}</h1><p class="soft">${current === 'deliveries' ? t.deliveries.lead : t.events.lead}</p></div>
    ${parts(t.deliveries.parts, [{name: t.deliveries.name, address: at('deliveries'), isCurrent: current === 'deliveries'}, {name: t.events.name, address: at('deliveries', 'events'), isCurrent: current === 'events'}])}`;
}

/** The top of the screens of those who administer the platform. */
export function administrationHead(current: AdministrationPart): TemplateResult {
  document.title = `${t.administration.tabs[current]} – ${t.administration.name} – ${t.brand}`;
  return html`<div class="top"><h1>${t.administration.name}</h1><p class="soft">${t.administration.lead[current]}</p></div>
    ${parts(t.administration.parts, ADMINISTRATION.map(part => ({name: t.administration.tabs[part], address: part === 'people' ? at('administration') : at('administration', part), isCurrent: part === current})))}`;
}

/** Instead of a screen for those who administer the platform, for everybody else. */
export const administersOnly = (show: () => unknown): unknown => mayAdminister() ? show() : html`<div class="top"><h1>${t.administration.name}</h1></div><p class="notice warn">${t.administration.notYours}</p>`;
