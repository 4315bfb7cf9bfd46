const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const texts = {
  brand: 'Arbitration Case Platform', brandFirst: 'Arbitration', brandSecond: 'Case Platform',
  skip: 'Go to the content', places: 'Places', offline: 'There is no connection. You can go on writing; it is sent when the connection is back.',
  waiting: 'One moment.', more: 'Show more', close: 'Close', cancel: 'Cancel', today: 'today', yesterday: 'yesterday', tomorrow: 'tomorrow', now: 'just now',
  minutesAgo: (n: number) => `${n} min ago`, hoursAgo: (n: number) => `${n} h ago`, daysLate: (n: number) => `${counted(n, 'day', 'days')} late`,
  files: (n: number) => counted(n, 'file', 'files'), waitingHere: (n: number) => `${n} waiting`,
  missing: {title: 'There is nothing at this address', text: 'It may have moved, or the address was cut off when it was copied.', back: 'Go to my day'},
  problem: {
    silence: 'The platform does not answer', silenceHelp: 'The connection may be interrupted. Nothing that you wrote is lost. It is tried again as soon as there is a connection.',
    forbidden: 'You may not see or do this', missing: 'This was not found', busy: 'The platform is busy', refused: 'This was refused',
    says: (sentence: string) => `The platform says: ${sentence}`, request: 'If you ask for help, give this number of the request:', again: 'Try again',
  },
  keys: {title: 'Keys', all: [['/', 'Search'], ['j', 'The next entry of the docket'], ['k', 'The entry before'], ['?', 'This list']] as [string, string][]},
  signIn: {
    title: 'Sign in', lead: 'Parties, counsel, arbitrators and case managers work on their cases here. If you were invited, sign in under the email address to which the invitation went.',
    nowhere: 'No identity provider is configured at which people sign in with a browser.', demo: 'The people of the demo', somebodyElse: 'Sign in as somebody else',
    parts: {claimant: 'brings the claim', respondent: 'answers it', manager: 'manages the case', administrator: 'administers the platform'},
    with: (provider: string) => `Sign in with ${provider}`, reference: 'Programs use the operations that the console uses:', referenceLink: 'the reference',
    again: 'Your session has ended', againHelp: 'Sign in again in the window that opens. Then this page goes on where it is; nothing that you wrote is lost.',
  },
  account: {
    open: 'Account and settings', actsFor: 'You act for', forNone: 'Yourself, for no organization', look: 'Appearance', themes: {system: 'As the device', light: 'Light', dark: 'Dark'},
    language: 'Language', signOut: 'Sign out',
  },
  day: {
    name: 'My day', decide: 'Decide', invited: 'Invitations', due: 'Due', heard: 'Hearings',
    waits: (n: number) => n === 0 ? 'Nothing waits for you. The docket is quiet.' : `${NUMBERS[n] ?? n} ${n === 1 ? 'thing waits' : 'things wait'} for you. The rest of the docket is quiet.`,
    nothingYet: 'You take part in no case yet.', of: (party: string, person: string) => person ? `of the ${party.toLowerCase()}, ${person}` : `of the ${party.toLowerCase()}`,
    readAndDecide: 'Read and decide', moreTime: 'More time', moreTimeOf: (party: string, until: string) => `for the ${party.toLowerCase()}, until ${until}`, grantOrRefuse: 'Grant or refuse',
    draftIt: 'See the filings', seeCase: 'See the case', seeHearing: 'See the hearing',
    invitedAs: (party: string, by: string, observer: boolean) => `${by || 'Somebody of the case'} invites you as ${observer ? 'an observer of the side' : 'the'} ${party.toLowerCase()}.`,
    membership: (by: string) => `${by || 'An administrator'} invites you to become a member.`, expires: (when: string) => `Open until ${when}.`,
    accept: 'Accept', decline: 'Decline', accepted: (title: string) => `You now take part in ${title}.`,
    emptyTitle: 'Begin with a case', emptyText: 'Whoever brings a claim opens the case. Whoever answers one is invited, and finds the invitation here.', emptyDo: 'Go to the cases',
  },
  cases: {
    name: 'Cases', which: 'Which cases', status: {open: 'Open', closed: 'Closed'}, open: 'Open a case', since: (when: string) => `opened ${when}`,
    empty: {open: 'There is no open case of yours', closed: 'There is no closed case of yours'}, emptyHelp: 'A case appears here when you open it, or when you accept an invitation to it.',
    openHelp: 'You become the claimant. The other side is invited afterwards.', title: 'Title', titleHelp: (most: string) => `The names of the parties, such as “North Quarry v. Harbour Cranes”. At most ${most} characters.`,
    rules: 'Rules',
  },
  search: {
    name: 'Search', words: 'Words', help: 'In all cases of yours, in documents too. Put a phrase in quotation marks; a minus before a word leaves it out.',
    count: (n: number) => `${counted(n, 'result', 'results')}.`, nothing: (words: string) => `Nothing that you may see contains “${words}”.`,
    kinds: {case: 'Case', entry: 'Docket entry', filing: 'Filing', exhibit: 'Exhibit', file: 'File'},
  },
  why: {
    rule: (rule: string, trigger: string) => `${rule}, ${trigger}.`, rolled: (raw: string, rolled: string) => `${raw} is not a working day, so it is ${rolled}.`,
    extended: (from: string, to: string) => `Extended from ${from} to ${to}.`,
    days: (n: number, working: boolean, from: string) => `${n} ${working ? 'working' : 'calendar'} ${n === 1 ? 'day' : 'days'} from ${from}`,
    phaseStart: 'the start of the phase', caseCreated: 'the opening of the case', docketed: (document: string) => `the docketing of “${document}”`,
  },
  case: {
    rules: (name: string) => `${name} rules`, youAre: 'you are', observer: 'an observer of the side', managedBy: (name: string) => `managed by ${name}`, closed: 'closed',
    phases: 'Phases of the case', phase: (n: number, all: number, name: string) => `Phase ${n} of ${all}: ${name}`,
    tabs: {docket: 'Docket', filings: 'Filings', dates: 'Dates', people: 'People'}, parts: 'Parts of the case',
    due: (when: string) => ` is due on ${when}`, draft: 'Draft it', goOn: 'Go on with the draft', notNow: 'You cannot file it in the present phase.',
    empty: 'Nothing is on the docket yet', emptyHelp: 'An entry appears here when a filing was approved, or at once where no approval is needed.',
    entries: (n: number) => counted(n, 'entry', 'entries'), earlier: (n: number) => `Show ${n} earlier entries`, choose: 'Choose an entry to read it here.',
    sealed: 'sealed', supersedes: (n: string) => `replaces No. ${n}`, supersededBy: (n: string) => `replaced by No. ${n}`, answers: (n: string) => `answers No. ${n}`, somebody: 'name not public',
    no: 'No.', entered: 'Entered', filed: 'Filed by', files: 'Files', noFiles: 'none', record: 'Record', contents: 'What was filed',
    verifying: 'being computed', verified: 'verified in your browser', verifiedHelp: 'Your browser computed the hash of this entry from what is shown here, and it is the one on the docket.',
    verifiedLinkOnly: 'the hash cannot be computed from what is shown here', notVerified: 'the hash does not fit what is shown here', openPdf: 'Open the PDF', receipt: 'Receipt', reply: 'Reply…', back: 'Back to the docket',
    receiptHolds: (when: string) => `The receipt holds: submitted ${when}, signed with a published key.`, receiptBroken: 'The signature of the receipt does not fit a published key.',
    pdf: (title: string) => `The document: ${title}`, noViewer: 'This browser shows no PDF in a page. The document opens as a file.', pages: (n: number) => counted(n, 'page', 'pages'),
    sealedText: 'This entry is sealed. It stays in the docket with its number; its content is shown to whom the seal names.',
  },
  filings: {
    none: 'There is no filing under way', noneHelp: 'Drafts, and what waits for approval, are here until they are on the docket.', start: 'Draft a filing', may: 'What you may file now', left: (n: number) => `${n} left`,
    mayNothing: 'There is nothing that you may file in this phase.', states: {draft: 'draft', submitted: 'waits for approval', docketed: 'on the docket', rejected: 'rejected', withdrawn: 'withdrawn'}, changed: (when: string) => `changed ${when}`,
    read: 'Read', goOn: 'Go on', required: 'required in this phase',
  },
  dates: {
    deadlines: 'Deadlines', none: 'No deadline runs.', status: {open: 'open', met: 'met', missed: 'missed'}, ask: 'Ask for more time', until: 'Until', reason: 'Reason', reasonHelp: 'What prevents you, and since when. The case manager and the arbitrators read it.',
    send: 'Send the request', asked: 'The request is sent.', extensions: 'Requests for more time', wants: (party: string, document: string, until: string) => `${party}: ${document}, until ${until}`,
    grant: 'Grant', refuse: 'Refuse', states: {open: 'open', withdrawn: 'withdrawn', granted: 'granted', refused: 'refused'}, decided: 'Decided.', decision: 'Reason for the decision', by: (name: string, when: string) => `asked by ${name || 'the party'}, ${when}`,
    hearings: 'Hearings', noHearing: 'No hearing is scheduled.', minutes: (n: number) => `${n} minutes`, cancelled: 'cancelled', endsAt: (when: string) => `It ends on ${when}.`,
  },
  people: {
    side: (party: string) => party, primary: 'speaks for the side', observer: 'observer', mayNotFile: 'may not file', nobody: 'Nobody yet.', invite: 'Invite somebody', email: 'Email address', as: 'As', asObserver: 'as an observer, who reads and changes nothing',
    asPrimary: 'speaks for the side', send: 'Send the invitation', sent: (email: string) => `The invitation to ${email} is sent.`, open: 'Open invitations', revoke: 'Take back', revoked: 'The invitation is taken back.', expires: (when: string) => `open until ${when}`,
  },
  filing: {
    saved: (when: string) => `Saved at ${when}.`, saving: 'Being saved.', unsaved: 'Not saved yet; kept in this browser.', notKept: 'Not saved yet, and this browser cannot keep it: do not close the page.', restored: 'What you had written, and was not saved, is here again.',
    title: 'Title on the docket', titleHelp: 'Left empty, the entry is called by its document type.', optional: 'optional', characters: (n: string) => `At most ${n} characters.`,
    required: 'This is required.', tooShort: (n: string) => `At least ${n} characters.`, tooLong: (n: string) => `At most ${n} characters.`, form: {
      boolean: 'Choose yes or no.', currency: 'An amount such as 1200.50 or 1200.50 USD.', date: 'A day such as 2026-01-31.', decimal: 'A number such as 12.5.', email: 'An email address such as clara@example.org.',
      integer: 'A whole number.', month: 'A month, 1 to 12, or such as 2026-07.', phone: 'A telephone number such as +1 212 555 0100.', time: 'A time such as 14:30.', url: 'A web address that begins with https://.',
      year: 'A year of four digits.', zipcode: 'A postal code.',
    } as Record<string, string>,
    yes: 'Yes', no: 'No', notSaid: 'Not said', files: 'Documents', drop: 'Drop files here, or', choose: 'choose files', filesHelp: 'PDF, unless the rules allow more for this document. They are filed in this order.', remove: 'Remove', removed: 'File removed.', sent: (share: number) => `${share} %`,
    check: 'Before you submit', ready: 'It can be submitted.', approval: (party: string) => `The ${party.toLowerCase()} decides whether it goes onto the docket.`, noApproval: 'It goes onto the docket at once.', cannot: 'It cannot be submitted yet:', submit: 'Submit', submitted: 'Submitted.',
    withdraw: 'Withdraw', withdrawSure: 'Withdraw this filing? This cannot be undone.', withdrawn: 'Withdrawn.', conflict: 'Somebody else has changed this draft', conflictHelp: 'Their version is beside yours. Yours is kept here until you choose.', theirs: 'On the platform', yours: 'Yours',
    keepMine: 'Save mine over it', takeTheirs: 'Take theirs', decide: 'Decide', approve: 'Approve', approved: 'Approved. It is on the docket.', reject: 'Reject', rejectReason: 'Reason', rejectHelp: 'The filer reads it, may change the filing and submit it again.', rejected: 'Rejected.',
    rejectedBecause: 'It was rejected:', onDocket: 'This filing is on the docket.', seeEntry: 'Read the entry', waits: 'It is submitted and waits for approval.', gone: 'This filing was withdrawn.', inCase: (title: string) => title, problems: 'Check these fields', lateMark: (when: string) => `Due ${when}.`,
    empty: 'not filled in',
  },
};

export type Texts = typeof texts;
