import {html, nothing} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Cases, type Identity, type Main, acceptCaseInvitation, acceptOrganizationInvitation, declineCaseInvitation, declineOrganizationInvitation, listCaseInvitations, listCases,
  listDeadlines, listDeadlineExtensions, listHearings, listOrganizationInvitations, listFilingsPendingApproval, listRecentEntries} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {ago, day as dayOf, due, inZone, localDay, moment, soon, today} from '../../parts/dates.js';
import {compareDueDays, dueDay, explainDate, until as endOf} from '../../parts/deadlines.js';
import {dropDraft, recordVisit, unsentInput} from '../../parts/draft-storage.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {affectsMyDay, onChanges} from '../../parts/event-stream.js';
import {documentName, loadNames, loadSchemas, partyName, personName} from '../../parts/names.js';
import {readAll} from '../../parts/pages.js';
import {addressOf} from '../../parts/route.js';
import {currentUser, isAdministrator, organizations, reloadSession} from '../../parts/session.js';
import {nextTask} from '../../parts/yield-task.js';
import {dayIn} from '../../parts/zones.js';
import {t} from '../../texts/texts.js';

interface Day {
  cases: Map<string, Cases.ArbitrationCase>;
  approvals: Main.Filing[];
  extensions: Cases.DeadlineExtension[];
  /** The number of cases whose requests for more time were not read; see {@link CASES_ASKED_MAX}. */
  unasked: number;
  invitations: Cases.CaseInvitation[];
  memberships: Identity.OrganizationInvitation[];
  deadlines: Cases.Deadline[];
  hearings: Cases.Hearing[];
  /** The open cases without a case manager, the newest first, at most {@link UNMANAGED_MAX}. Read only for administrators of the platform. */
  unmanaged: Cases.ArbitrationCase[];
  hasMoreUnmanaged: boolean;
  /** The lists that are not there, because reading them failed or has not finished. */
  missing: Set<Part>;
}

type Part = 'cases' | 'approvals' | 'extensions' | 'invitations' | 'memberships' | 'deadlines' | 'hearings' | 'unmanaged';

/** A list of the screen. */
type Unit = Exclude<Part, 'cases'> | 'recent';
const UNITS: Unit[] = ['approvals', 'extensions', 'unmanaged', 'invitations', 'memberships', 'deadlines', 'hearings', 'recent'];

interface Recent {
  entries: Main.RecentEntry[];
  next: string | null;
}

const DAY_MILLIS = 86_400_000;
const AHEAD_DAYS = 31;
/** In the first visit with a browser, entries of this many days are shown as new. */
const FIRST_DAYS = 7;
const RECENT_AT_ONCE = 20;
/** The maximum of pages of entries that are read at once if they contain only entries by this user. */
const OWN_PAGES_MAX = 5;
/**
 * Requests for more time are read for each case separately, and for this many cases at most. A user who decides in more cases sees a notice, and
 * finds the other requests in the cases.
 */
const CASES_ASKED_MAX = 200;
const ASKED_AT_ONCE = 5;
const MINUTE_MILLIS = 60_000;
/** After this time the lists that have arrived are shown, and the others when they arrive. */
const SLOW_MILLIS = 300;
const PARTS: Part[] = ['cases', 'approvals', 'extensions', 'invitations', 'memberships', 'deadlines', 'hearings'];
const UNMANAGED_MAX = 20;

/** My day: what waits for this user, why, and for each item a link to the one thing to do. */
class DayScreen extends Element {
  private readonly day = new Loading<Day>(this);
  private readonly recent = new Loading<Recent>(this);
  private lastVisit: string | null = null;
  /** The lists in the order in which they are shown. */
  private order: Unit[] = [];
  /** The open requests for more time by case ID, for the cases that were read. */
  private readonly asked = new Map<string, Cases.DeadlineExtension[]>();
  private unfollow: (() => void) | undefined;
  /** Whether the answer to an invitation is being sent. */
  private isAnswering = false;
  private readonly show = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.day.name} – ${t.brand}`;
    this.lastVisit = recordVisit(currentUser.id);
    // The page can be painted without data before the first request begins.
    void this.day.start(() => nextTask().then(() => this.read()));
    void this.recent.start(() => nextTask().then(nextTask).then(() => this.readRecent(null)));
    this.unfollow = onChanges(null, (kinds, caseIDs) => affectsMyDay(kinds) ? this.happened(caseIDs) : undefined);
    window.addEventListener('acp-kept', this.show);
    window.addEventListener('storage', this.show);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
    window.removeEventListener('acp-kept', this.show);
    window.removeEventListener('storage', this.show);
  }

  /** Reads each list separately, so that a slow or failed list does not delay the others. */
  private async read(): Promise<Day> {
    const until = new Date(Date.now() + AHEAD_DAYS * DAY_MILLIS).toISOString();
    const before = this.day.value;
    const day: Day = {cases: before?.cases ?? new Map(), approvals: before?.approvals ?? [], extensions: before?.extensions ?? [], unasked: before?.unasked ?? 0, invitations: before?.invitations ?? [],
      memberships: before?.memberships ?? [], deadlines: before?.deadlines ?? [], hearings: before?.hearings ?? [], unmanaged: before?.unmanaged ?? [], hasMoreUnmanaged: before?.hasMoreUnmanaged ?? false, missing: new Set(before ? before.missing : [...PARTS, ...isAdministrator() ? ['unmanaged' as const] : []])};
    const parts = PARTS.length + (isAdministrator() ? 1 : 0);
    let isShown = before !== undefined;
    let problem: Problem | undefined;
    const show = () => {
      if (isShown && !before && this.isConnected && day.missing.size < parts) {
        this.day.value = {...day};
        this.requestUpdate();
      }
    };
    // Each request begins in a task of its own, because beginning a request takes some 10 ms on a slow processor.
    let turn: Promise<void> = Promise.resolve();
    const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
      turn = turn.then(nextTask);
      return turn.then(read);
    };
    const schemas = loadSchemas();
    const cases = Promise.all([inTurn(() => readAll(listCases, {status: 'open'}, page => page.cases)), schemas]).then(([read]) => {
      day.cases = new Map(read.map(one => [one.caseID, one]));
    });
    const part = async (name: Part, reads: () => Promise<void>) => {
      try {
        await reads();
        day.missing.delete(name);
        show();
      } catch (failed) {
        if (!(failed instanceof Problem)) {
          throw failed;
        }
        problem ??= failed;
      }
    };
    const late = setTimeout(() => {
      isShown = true;
      show();
    }, SLOW_MILLIS);
    await Promise.all([
      part('cases', () => cases),
      part('approvals', async () => {
        const [read] = await Promise.all([inTurn(() => readAll(listFilingsPendingApproval, {}, page => page.filings)), schemas]);
        await loadNames(read.map(one => one.userID));
        day.approvals = read;
      }),
      part('extensions', async () => {
        await cases;
        const deciding = [...day.cases.values()].filter(one => ['caseManager', 'arbitrator'].includes(partyIn(one)));
        day.extensions = await this.requests(deciding.slice(0, CASES_ASKED_MAX).map(one => one.caseID));
        day.unasked = Math.max(0, deciding.length - CASES_ASKED_MAX);
      }),
      part('invitations', async () => {
        const [read] = await Promise.all([inTurn(() => readAll(listCaseInvitations, {}, page => page.invitations)), schemas]);
        await loadNames(read.map(one => one.invitedBy));
        day.invitations = read;
      }),
      part('memberships', async () => {
        const read = await inTurn(() => readAll(listOrganizationInvitations, {}, page => page.invitations));
        await loadNames(read.map(one => one.invitedBy));
        day.memberships = read;
      }),
      part('deadlines', async () => {
        const [read] = await Promise.all([inTurn(() => readAll(listDeadlines, {until}, page => page.deadlines)), cases]);
        const caseOf = (one: Cases.Deadline) => day.cases.get(one.caseID);
        day.deadlines = read.filter(one => one.status !== 'met' && isOfMine(one, caseOf(one))).sort((one, other) => compareDueDays(one, other, caseOf));
      }),
      part('hearings', async () => {
        // A hearing that has begun stays in the list until it ends.
        const read = await inTurn(() => readAll(listHearings, {from: new Date(Date.now() - DAY_MILLIS).toISOString(), until}, page => page.hearings));
        day.hearings = read.filter(one => one.status === 'scheduled' && Date.parse(one.start) + one.durationMinutes * MINUTE_MILLIS > Date.now()).sort((one, other) => one.start.localeCompare(other.start));
      }),
      isAdministrator() ? part('unmanaged', async () => {
        const [read] = await Promise.all([inTurn(() => ask(listCases, {withoutCaseManager: true, limit: UNMANAGED_MAX})), schemas]);
        day.unmanaged = read.cases;
        day.hasMoreUnmanaged = read.nextCursor !== null;
      }) : undefined,
    ]).finally(() => clearTimeout(late));
    if (problem && day.missing.size === parts) {
      throw problem;
    }
    if (problem) {
      // The lists that were read are shown below the problem.
      this.day.value = day;
      throw problem;
    }
    window.dispatchEvent(new CustomEvent('acp-waits', {detail: count(day)}));
    return day;
  }

  /** The open requests for more time in these cases. A case is read once, and again only after a change in it or on the next visit. */
  private async requests(caseIDs: string[]): Promise<Cases.DeadlineExtension[]> {
    const unknown = caseIDs.filter(caseID => !this.asked.has(caseID));
    for (let first = 0; first < unknown.length && this.isConnected; first += ASKED_AT_ONCE) {
      await Promise.all(unknown.slice(first, first + ASKED_AT_ONCE).map(async caseID => {
        const all = await readAll(listDeadlineExtensions, {caseID}, page => page.extensions);
        this.asked.set(caseID, all.filter(one => one.state === 'open'));
      }));
    }
    return caseIDs.flatMap(caseID => this.asked.get(caseID) ?? []);
  }

  /** Reads the lists again after a change by another user. `caseIDs` is undefined if any case may have changed. */
  private async happened(caseIDs: Set<string> | undefined): Promise<void> {
    if (caseIDs) {
      caseIDs.forEach(caseID => this.asked.delete(caseID));
    } else {
      this.asked.clear();
    }
    const day = this.day.again();
    // If the user has loaded more entries, the list stays as it is, because it continues from its last entry.
    if (this.recent.value && this.recent.value.entries.length <= RECENT_AT_ONCE) {
      void this.recent.start(() => this.readRecent(null));
    }
    await day;
  }

  private async readRecent(cursor: string | null): Promise<Recent> {
    const since = this.lastVisit ?? new Date(Date.now() - FIRST_DAYS * DAY_MILLIS).toISOString();
    const others: Main.RecentEntry[] = [];
    let next = cursor;
    // The user's own entries are not news, so they are left out.
    for (let pages = 0; pages === 0 || others.length === 0 && next !== null && pages < OWN_PAGES_MAX; pages++) {
      const read: Main.RecentEntryList = await ask(listRecentEntries, {since, cursor: next, limit: RECENT_AT_ONCE});
      others.push(...read.entries.filter(one => one.userID !== currentUser.id));
      next = read.nextCursor;
    }
    await Promise.all([loadNames(others.map(one => one.userID)), loadSchemas()]);
    return {entries: [...cursor ? this.recent.value?.entries ?? [] : [], ...others], next};
  }

  override render() {
    return html`<div class="top"><h1>${today()}</h1><p class="soft">${this.day.value ? this.sentence(this.day.value) : '\u00a0'}</p></div>
      ${this.refused ? problem(this.refused) : nothing}
      ${this.unsent()}${this.day.render(day => this.lists(day))}`;
  }

  /** Input that only this browser has, with links to continue and to discard it. */
  private unsent() {
    const all = unsentInput(currentUser.id);
    return all.length === 0 ? nothing : html`<div class="day kept"><section><h2 class="heading">${t.unsent.title}</h2><p class="small soft">${t.unsent.help}</p><ul class="lines">${all.map(({key, words, draft}) => html`<li>
      <span class="when"><time datetime=${draft.at}>${ago(draft.at)}</time></span><div><p><strong>${words}</strong></p></div>
      <p class="row">${draft.place ? html`<a class="act" href=${draft.place}>${t.unsent.goOn}<span class="unseen">: ${words}</span></a>` : nothing}
        <button type="button" class="bare" aria-label=${`${t.unsent.discard}: ${words}`} @click=${() => confirmAct({title: t.unsent.discardTitle, says: [words], act: t.unsent.discard, does: async () => dropDraft(currentUser.id, key)})}>${t.unsent.discard}</button></p></li>`)}</ul></section></div>`;
  }

  private sentence(day: Day): string {
    const waits = count(day);
    if (day.missing.size > 0) {
      return t.day.notAll;
    }
    return day.cases.size === 0 && waits === 0 ? t.day.nothingYet : t.day.waits(waits, AHEAD_DAYS);
  }

  /**
   * The order of the lists. Lists that arrive late are appended in the order of arrival, so that a list that is already shown does not move while the
   * user is about to click in it.
   */
  private arranged(day: Day): Unit[] {
    const isOver = this.day.problemNotice !== undefined || day.missing.size === 0;
    const lacks = (...parts: Part[]) => !isOver && parts.some(part => day.missing.has(part));
    const has = (unit: Unit): boolean => {
      switch (unit) {
        // The new entries follow the lists of things to do, so they wait for those.
        case 'recent': return this.recent.isKnown && !lacks('cases', 'approvals', 'extensions', 'unmanaged', 'invitations', 'memberships', 'deadlines');
        case 'invitations': case 'memberships': case 'unmanaged': return !lacks(unit);
        default: return !lacks('cases', unit);
      }
    };
    this.order = [...this.order, ...UNITS.filter(unit => !this.order.includes(unit) && has(unit))];
    return [...this.order, ...UNITS.filter(unit => !this.order.includes(unit))];
  }

  private lines(unit: Exclude<Unit, 'recent'>, day: Day): unknown[] {
    const title = (caseID: string) => day.cases.get(caseID)?.title ?? '';
    const zoneOf = (caseID: string) => day.cases.get(caseID)?.timetable.timeZone;
    switch (unit) {
      case 'approvals': return day.approvals.map(one => line(html`<time datetime=${one.submittedAt ?? one.updated}>${ago(one.submittedAt ?? one.updated)}</time>`,
        html`<strong>${one.title || documentName(one.documentID)}</strong> ${t.day.of(partyName(one.partyID), personName(one.userID))}`,
        [title(one.caseID), one.files.length > 0 ? t.files(one.files.length) : ''], addressOf('cases', one.caseID, 'filings', one.filingID), t.day.readAndDecide, one.title || documentName(one.documentID)));
      case 'extensions': return day.extensions.map(one => line(html`<time datetime=${one.requested}>${ago(one.requested)}</time>`,
        html`<strong>${t.day.moreTime}</strong> ${t.day.moreTimeOf(partyName(one.partyID), dayOf(dayAt(one.until, zoneOf(one.caseID))))}`,
        [title(one.caseID), t.quoted(one.reason)], `${addressOf('cases', one.caseID, 'dates')}?request=${encodeURIComponent(one.extensionID)}`, t.day.grantOrRefuse, `${t.day.moreTime}, ${partyName(one.partyID)}`));
      case 'unmanaged': return day.unmanaged.map(one => line(html`<time datetime=${one.created}>${ago(one.created)}</time>`, html`<strong>${one.title}</strong>`,
        [t.day.unmanagedHelp], `${addressOf('cases')}?appoint=${encodeURIComponent(one.caseID)}`, t.appoint.give, one.title));
      case 'invitations': return day.invitations.map(one => this.invitation(one));
      case 'memberships': return day.memberships.map(one => this.membership(one));
      case 'deadlines': return day.deadlines.map(one => {
        const zone = zoneOf(one.caseID);
        const when = due(dueDay(one, zone), one.status, day.cases.get(one.caseID));
        const mine = partyIn(day.cases.get(one.caseID)) === one.partyID;
        return line(html`<time class=${when.kind} datetime=${dueDay(one, zone)}>${when.words}</time>`,
          html`<strong>${documentName(one.documentID)}</strong> ${mine ? nothing : t.day.of(partyName(one.partyID), '')}`,
          [title(one.caseID), when.isNow ? t.dates.endsAt(endOf(one, zone)) : '', explainDate(one, zone)], mine ? addressOf('cases', one.caseID, 'filings') : addressOf('cases', one.caseID), mine ? t.day.draftIt : t.day.seeCase, documentName(one.documentID));
      });
      case 'hearings': return day.hearings.map(one => line(html`<time datetime=${one.start}>${soon(one.start)}</time>`,
        html`<strong>${one.title}</strong>${one.place ? `, ${one.place}` : ''}`, [title(one.caseID), inZone(one.start, one.timeZone)], addressOf('cases', one.caseID, 'dates'), t.day.seeHearing, one.title));
    }
  }

  private lists(day: Day) {
    const names = {approvals: t.day.decide, extensions: t.day.decide, unmanaged: t.appoint.without, invitations: t.day.invited, memberships: t.day.invited, deadlines: t.day.due, hearings: t.day.heard};
    const sections: {name: string; lines: unknown[]; lacks: boolean; isWhole: boolean}[] = [];
    for (const unit of this.arranged(day)) {
      const isWhole = this.order.includes(unit);
      if (unit === 'recent') {
        sections.push({name: isWhole ? '' : this.recentName, lines: [], lacks: !isWhole, isWhole});
        continue;
      }
      const lines = isWhole ? this.lines(unit, day) : [];
      const lacks = !isWhole || day.missing.has(unit);
      const last = sections.at(-1);
      if (last?.name === names[unit] && last.isWhole === isWhole) {
        last.lines.push(...lines);
        last.lacks ||= lacks;
      } else {
        sections.push({name: names[unit], lines, lacks, isWhole});
      }
    }
    return html`<div class="day">
      ${sections.map(({name, lines, lacks}) => name === '' ? day.cases.size > 0 || day.missing.has('cases') || this.recent.value?.entries.length ? this.since() : nothing
        : lines.length === 0 && !lacks ? nothing : html`<section><h2 class="heading">${name}</h2>${lines.length > 0 ? html`<ul class="lines">${lines}</ul>` : nothing}
          ${lacks ? html`<p class="soft quiet">${t.day.notThere}</p>` : nothing}</section>`)}
      ${day.hasMoreUnmanaged ? html`<p class="soft">${t.day.unmanagedMore(UNMANAGED_MAX)} <a href=${addressOf('cases')}>${t.day.emptyDo}</a></p>` : nothing}
      ${day.unasked > 0 ? html`<p class="soft">${t.day.unasked(CASES_ASKED_MAX)}</p>` : nothing}
      ${day.cases.size === 0 && !day.missing.has('cases') ? html`<div class="notice"><h2>${t.day.emptyTitle}</h2><p>${t.day.emptyText}</p><a class="button" href=${addressOf('cases')}>${t.day.emptyDo}</a></div>` : nothing}
    </div>`;
  }

  private get recentName(): string {
    return this.lastVisit ? t.day.since(moment(this.lastVisit)) : t.day.lately(FIRST_DAYS);
  }

  private since() {
    return html`<section><h2 class="heading">${this.recentName}</h2>
      ${this.recent.render(({entries, next}) => entries.length === 0 ? html`<p class="soft quiet">${t.day.sinceNothing}</p>` : html`<ul class="lines">${entries.map(one =>
        line(html`<time datetime=${one.enteredAt}>${ago(one.enteredAt)}</time>`, html`<strong>${one.title}</strong> ${t.day.of(partyName(one.partyID), personName(one.userID))}`,
          [one.caseTitle], addressOf('cases', one.caseID, 'docket', one.entryID), t.day.readEntry, one.title))}</ul>
        ${next ? html`<p><button type="button" @click=${() => this.recent.start(() => this.readRecent(next))}>${t.more}</button></p>` : nothing}`)}</section>`;
  }

  private invitation(one: Cases.CaseInvitation) {
    return html`<li><span class="when"><time datetime=${one.created}>${ago(one.created)}</time></span>
      <div><p><strong>${one.title}</strong></p><p class="small soft">${t.day.invitedAs(partyName(one.partyID), personName(one.invitedBy), one.isObserver)} ${t.day.expires(dayOf(localDay(one.expires)))}</p></div>
      <div class="row">${organizations.length === 0 ? nothing : html`<label class="small" for=${`for-${one.invitationID}`}>${t.day.takeFor}</label><select id=${`for-${one.invitationID}`}>
          ${[...organizations.map(each => ({id: each.organizationID, name: each.name})), {id: '', name: t.account.forNone}].map(each => html`<option value=${each.id} ?selected=${each.id === (currentUser.organizationID ?? '')}>${each.name}</option>`)}</select>`}
        ${this.answers(one.title, async () => {
          const organizationID = this.querySelector<HTMLSelectElement>(`#${CSS.escape(`for-${one.invitationID}`)}`)?.value;
          await ask(acceptCaseInvitation, {invitationID: one.invitationID, organizationID: organizationID || null});
          announce(t.day.accepted(one.title));
        }, () => ask(declineCaseInvitation, {invitationID: one.invitationID}))}</div></li>`;
  }

  private membership(one: Identity.OrganizationInvitation) {
    return html`<li><span class="when"><time datetime=${one.created}>${ago(one.created)}</time></span>
      <div><p><strong>${one.organizationName}</strong></p><p class="small soft">${t.day.membership(personName(one.invitedBy))} ${t.day.expires(dayOf(localDay(one.expires)))}</p></div>
      <p class="row">${this.answers(one.organizationName, async () => {
        await ask(acceptOrganizationInvitation, {invitationID: one.invitationID});
        await reloadSession();
        announce(t.day.belongs(one.organizationName));
      }, () => ask(declineOrganizationInvitation, {invitationID: one.invitationID}))}</p></li>`;
  }

  private answers(what: string, accept: () => Promise<unknown>, decline: () => Promise<unknown>) {
    return html`<button type="button" class="main" aria-label=${`${t.day.accept}: ${what}`} aria-disabled=${this.isAnswering ? 'true' : nothing} @click=${() => this.answer(accept)}>${t.day.accept}</button>
      <button type="button" aria-label=${`${t.day.decline}: ${what}`} aria-disabled=${this.isAnswering ? 'true' : nothing} @click=${() => this.answer(async () => {
        await decline();
        announce(t.day.declined);
      })}>${t.day.decline}</button>`;
  }

  private async answer(write: () => Promise<unknown>): Promise<void> {
    if (this.isAnswering) {
      return;
    }
    this.isAnswering = true;
    this.requestUpdate();
    await this.attempt(write).finally(() => { this.isAnswering = false; });
    await this.day.again();
  }
}

const dayAt = (instant: string, timeZone: string | undefined): string => timeZone ? dayIn(instant, timeZone) : localDay(instant);

const count = (day: Day): number => day.approvals.length + day.extensions.length + day.invitations.length + day.memberships.length + day.deadlines.length + day.hearings.length + day.unmanaged.length;

/** Whether a deadline is shown: those of the user's own party, and for a case manager also the missed ones of other parties. */
function isOfMine(deadline: Cases.Deadline, inCase: Cases.ArbitrationCase | undefined): boolean {
  const party = partyIn(inCase);
  return party === deadline.partyID || party === 'caseManager' && deadline.status === 'missed';
}

function partyIn(one: Cases.ArbitrationCase | undefined): string {
  return one?.participants.find(participant => participant.userID === currentUser.id && !participant.isObserver)?.partyID ?? '';
}

function line(when: unknown, what: unknown, about: string[], address: string, act: string, of: string) {
  return html`<li><span class="when">${when}</span><div><p>${what}</p><p class="small soft">${about.filter(one => one !== '').join(' · ')}</p></div><a class="act" href=${address}>${act}<span class="unseen">: ${of}</span></a></li>`;
}

customElements.define('acp-day', DayScreen);
