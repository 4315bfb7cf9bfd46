import type {Texts} from './en.js';

const NUMBERS = ['Nichts', 'Eine Sache', 'Zwei Dinge', 'Drei Dinge', 'Vier Dinge', 'Fünf Dinge', 'Sechs Dinge', 'Sieben Dinge', 'Acht Dinge', 'Neun Dinge', 'Zehn Dinge', 'Elf Dinge', 'Zwölf Dinge'];
const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const texts: Texts = {
  brand: 'Arbitration Case Platform', brandFirst: 'Arbitration', brandSecond: 'Case Platform',
  skip: 'Zum Inhalt', places: 'Bereiche', offline: 'Es besteht keine Verbindung. Sie können weiterschreiben; gesendet wird, sobald sie wieder da ist.',
  waiting: 'Einen Augenblick.', more: 'Mehr zeigen', close: 'Schließen', cancel: 'Abbrechen', today: 'heute', yesterday: 'gestern', tomorrow: 'morgen', now: 'gerade eben',
  minutesAgo: n => `vor ${n} Min.`, hoursAgo: n => `vor ${n} Std.`, daysLate: n => `${counted(n, 'Tag', 'Tage')} zu spät`,
  files: n => counted(n, 'Datei', 'Dateien'), waitingHere: n => `${n} offen`,
  missing: {title: 'Unter dieser Adresse ist nichts', text: 'Vielleicht wurde sie beim Kopieren abgeschnitten.', back: 'Zu meinem Tag'},
  problem: {
    silence: 'Die Plattform antwortet nicht', silenceHelp: 'Vielleicht ist die Verbindung unterbrochen. Was Sie geschrieben haben, bleibt erhalten. Sobald wieder eine Verbindung besteht, wird es erneut versucht.',
    forbidden: 'Das dürfen Sie nicht sehen oder tun', missing: 'Das wurde nicht gefunden', busy: 'Die Plattform ist ausgelastet', refused: 'Das wurde abgelehnt',
    says: sentence => `Die Plattform sagt: ${sentence}`, request: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer der Anfrage:', again: 'Noch einmal versuchen',
  },
  keys: {title: 'Tasten', all: [['/', 'Suchen'], ['j', 'Der nächste Eintrag des Registers'], ['k', 'Der Eintrag davor'], ['?', 'Diese Liste']]},
  signIn: {
    title: 'Anmelden', lead: 'Hier arbeiten Parteien, Anwälte, Schiedsrichter und Verfahrensverwalter an ihren Verfahren. Wenn Sie eingeladen wurden, melden Sie sich unter der E-Mail-Adresse an, an die die Einladung ging.',
    nowhere: 'Es ist kein Identitätsanbieter eingerichtet, bei dem sich Menschen mit einem Browser anmelden.', demo: 'Die Beteiligten der Vorführung', somebodyElse: 'Als jemand anderes anmelden',
    parts: {claimant: 'erhebt die Klage', respondent: 'erwidert', manager: 'verwaltet das Verfahren', administrator: 'verwaltet die Plattform'},
    with: provider => `Anmelden mit ${provider}`, reference: 'Programme benutzen dieselben Operationen wie diese Seiten:', referenceLink: 'die Referenz',
    again: 'Ihre Sitzung ist zu Ende', againHelp: 'Melden Sie sich in dem Fenster, das sich öffnet, wieder an. Danach geht es hier weiter; was Sie geschrieben haben, bleibt erhalten.',
  },
  account: {
    open: 'Konto und Einstellungen', actsFor: 'Sie handeln für', forNone: 'Sich selbst, für keine Organisation', look: 'Darstellung', themes: {system: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel'},
    language: 'Sprache', signOut: 'Abmelden',
  },
  day: {
    name: 'Mein Tag', decide: 'Entscheiden', invited: 'Einladungen', due: 'Fällig', heard: 'Verhandlungen',
    waits: n => n === 0 ? 'Nichts wartet auf Sie. Im Register ist es ruhig.' : `${NUMBERS[n] ?? `${n} Dinge`} ${n === 1 ? 'wartet' : 'warten'} auf Sie. Sonst ist es im Register ruhig.`,
    nothingYet: 'Sie nehmen noch an keinem Verfahren teil.', of: (party, person) => person ? `· ${party}, ${person}` : `· ${party}`,
    readAndDecide: 'Lesen und entscheiden', moreTime: 'Mehr Zeit', moreTimeOf: (party, until) => `für ${party}, bis ${until}`, grantOrRefuse: 'Gewähren oder ablehnen',
    draftIt: 'Zu den Schriftsätzen', seeCase: 'Zum Verfahren', seeHearing: 'Zur Verhandlung',
    invitedAs: (party, by, observer) => `${by || 'Jemand aus dem Verfahren'} lädt Sie ein: ${party}${observer ? ', als Beobachter' : ''}.`,
    membership: by => `${by || 'Ein Administrator'} lädt Sie ein, Mitglied zu werden.`, expires: when => `Offen bis ${when}.`,
    accept: 'Annehmen', decline: 'Ablehnen', accepted: title => `Sie nehmen jetzt teil an ${title}.`,
    emptyTitle: 'Beginnen Sie mit einem Verfahren', emptyText: 'Wer eine Klage erhebt, eröffnet das Verfahren. Wer erwidert, wird eingeladen und findet die Einladung hier.', emptyDo: 'Zu den Verfahren',
  },
  cases: {
    name: 'Verfahren', which: 'Welche Verfahren', status: {open: 'Offen', closed: 'Abgeschlossen'}, open: 'Verfahren eröffnen', since: when => `eröffnet am ${when}`,
    empty: {open: 'Sie haben kein offenes Verfahren', closed: 'Sie haben kein abgeschlossenes Verfahren'}, emptyHelp: 'Ein Verfahren erscheint hier, wenn Sie es eröffnen oder eine Einladung dazu annehmen.',
    openHelp: 'Sie werden Kläger. Die andere Seite wird danach eingeladen.', title: 'Titel', titleHelp: most => `Die Namen der Parteien, etwa „North Quarry v. Harbour Cranes“. Höchstens ${most} Zeichen.`,
    rules: 'Regeln',
  },
  search: {
    name: 'Suche', words: 'Wörter', help: 'In allen Ihren Verfahren, auch in Dokumenten. Wendungen in Anführungszeichen; ein Minus vor einem Wort schließt es aus.',
    count: n => `${counted(n, 'Treffer', 'Treffer')}.`, nothing: words => `Nichts, was Sie sehen dürfen, enthält „${words}“.`,
    kinds: {case: 'Verfahren', entry: 'Registereintrag', filing: 'Schriftsatz', exhibit: 'Beweisstück', file: 'Datei'},
  },
  why: {
    rule: (rule, trigger) => `${rule}, ${trigger}.`, rolled: (raw, rolled) => `Der ${raw} ist kein Arbeitstag, daher der ${rolled}.`,
    extended: (from, to) => `Verlängert vom ${from} auf den ${to}.`,
    days: (n, working, from) => `${n} ${working ? (n === 1 ? 'Arbeitstag' : 'Arbeitstage') : (n === 1 ? 'Kalendertag' : 'Kalendertage')} ab ${from}`,
    phaseStart: 'Beginn der Phase', caseCreated: 'Eröffnung des Verfahrens', docketed: document => `Eintragung von „${document}“`,
  },
  case: {
    rules: name => `Regeln ${name}`, youAre: 'Sie sind', observer: 'Beobachter der Seite', managedBy: name => `verwaltet von ${name}`, closed: 'abgeschlossen',
    phases: 'Phasen des Verfahrens', phase: (n, all, name) => `Phase ${n} von ${all}: ${name}`,
    tabs: {docket: 'Register', filings: 'Schriftsätze', dates: 'Termine', people: 'Beteiligte'}, parts: 'Teile des Verfahrens',
    due: when => ` ist fällig am ${when}`, draft: 'Entwerfen', goOn: 'Entwurf fortsetzen', notNow: 'In der jetzigen Phase können Sie es nicht einreichen.',
    empty: 'Im Register steht noch nichts', emptyHelp: 'Ein Eintrag erscheint hier, wenn ein Schriftsatz gebilligt wurde, oder sofort, wo keine Billigung nötig ist.',
    entries: n => counted(n, 'Eintrag', 'Einträge'), earlier: n => `${n} frühere Einträge zeigen`, choose: 'Wählen Sie einen Eintrag, um ihn hier zu lesen.',
    sealed: 'versiegelt', supersedes: n => `ersetzt Nr. ${n}`, supersededBy: n => `ersetzt durch Nr. ${n}`, answers: n => `erwidert auf Nr. ${n}`, somebody: 'Name nicht öffentlich',
    no: 'Nr.', entered: 'Eingetragen', filed: 'Eingereicht von', files: 'Dateien', noFiles: 'keine', record: 'Urkunde', contents: 'Was eingereicht wurde',
    verifying: 'wird berechnet', verified: 'in Ihrem Browser geprüft', verifiedHelp: 'Ihr Browser hat die Prüfsumme dieses Eintrags aus dem berechnet, was hier steht; es ist die des Registers.',
    verifiedLinkOnly: 'die Prüfsumme lässt sich aus dem, was hier steht, nicht berechnen', notVerified: 'die Prüfsumme passt nicht zu dem, was hier steht', openPdf: 'PDF öffnen', receipt: 'Quittung', reply: 'Erwidern…', back: 'Zurück zum Register',
    receiptHolds: when => `Die Quittung gilt: eingereicht ${when}, unterschrieben mit einem veröffentlichten Schlüssel.`, receiptBroken: 'Die Unterschrift der Quittung passt zu keinem veröffentlichten Schlüssel.',
    pdf: title => `Das Dokument: ${title}`, noViewer: 'Dieser Browser zeigt kein PDF in einer Seite. Das Dokument öffnet sich als Datei.', pages: n => counted(n, 'Seite', 'Seiten'),
    sealedText: 'Dieser Eintrag ist versiegelt. Er bleibt mit seiner Nummer im Register; seinen Inhalt sehen die, die das Siegel nennt.',
  },
  filings: {
    none: 'Es ist kein Schriftsatz in Arbeit', noneHelp: 'Entwürfe, und was auf Billigung wartet, stehen hier, bis sie im Register sind.', start: 'Schriftsatz entwerfen', may: 'Was Sie jetzt einreichen können', left: n => `noch ${n}`,
    mayNothing: 'In dieser Phase können Sie nichts einreichen.', states: {draft: 'Entwurf', submitted: 'wartet auf Billigung', docketed: 'im Register', rejected: 'zurückgewiesen', withdrawn: 'zurückgezogen'}, changed: when => `geändert ${when}`,
    read: 'Lesen', goOn: 'Fortsetzen', required: 'in dieser Phase erforderlich',
  },
  dates: {
    deadlines: 'Fristen', none: 'Es läuft keine Frist.', status: {open: 'offen', met: 'gewahrt', missed: 'versäumt'}, ask: 'Um mehr Zeit bitten', until: 'Bis', reason: 'Grund', reasonHelp: 'Was Sie hindert, und seit wann. Verfahrensverwalter und Schiedsrichter lesen es.',
    send: 'Bitte senden', asked: 'Die Bitte ist gesendet.', extensions: 'Bitten um mehr Zeit', wants: (party, document, until) => `${party}: ${document}, bis ${until}`,
    grant: 'Gewähren', refuse: 'Ablehnen', states: {open: 'offen', withdrawn: 'zurückgezogen', granted: 'gewährt', refused: 'abgelehnt'}, decided: 'Entschieden.', decision: 'Grund der Entscheidung', by: (name, when) => `erbeten von ${name || 'der Partei'}, ${when}`,
    hearings: 'Verhandlungen', noHearing: 'Es ist keine Verhandlung angesetzt.', minutes: n => `${n} Minuten`, cancelled: 'abgesagt', endsAt: when => `Endet ${when}.`,
  },
  people: {
    side: party => party, primary: 'spricht für die Seite', observer: 'Beobachter', mayNotFile: 'darf nicht einreichen', nobody: 'Noch niemand.', invite: 'Jemanden einladen', email: 'E-Mail-Adresse', as: 'Als', asObserver: 'als Beobachter, der liest und nichts ändert',
    asPrimary: 'spricht für die Seite', send: 'Einladung senden', sent: email => `Die Einladung an ${email} ist gesendet.`, open: 'Offene Einladungen', revoke: 'Zurücknehmen', revoked: 'Die Einladung ist zurückgenommen.', expires: when => `offen bis ${when}`,
  },
  filing: {
    saved: when => `Gespeichert um ${when}.`, saving: 'Wird gespeichert.', unsaved: 'Noch nicht gespeichert; in diesem Browser aufbewahrt.', notKept: 'Noch nicht gespeichert, und dieser Browser kann es nicht aufbewahren: Schließen Sie die Seite nicht.', restored: 'Was Sie geschrieben hatten und was nicht gespeichert war, ist wieder da.',
    title: 'Titel im Register', titleHelp: 'Leer gelassen, heißt der Eintrag wie seine Dokumentart.', optional: 'freiwillig', characters: n => `Höchstens ${n} Zeichen.`,
    required: 'Das ist erforderlich.', tooShort: n => `Mindestens ${n} Zeichen.`, tooLong: n => `Höchstens ${n} Zeichen.`, form: {
      boolean: 'Wählen Sie ja oder nein.', currency: 'Ein Betrag wie 1200.50 oder 1200.50 USD.', date: 'Ein Tag wie 2026-01-31.', decimal: 'Eine Zahl wie 12.5.', email: 'Eine E-Mail-Adresse wie clara@example.org.',
      integer: 'Eine ganze Zahl.', month: 'Ein Monat, 1 bis 12, oder wie 2026-07.', phone: 'Eine Telefonnummer wie +1 212 555 0100.', time: 'Eine Uhrzeit wie 14:30.', url: 'Eine Webadresse, die mit https:// beginnt.',
      year: 'Ein Jahr mit vier Ziffern.', zipcode: 'Eine Postleitzahl.',
    },
    yes: 'Ja', no: 'Nein', notSaid: 'Ohne Angabe', files: 'Dokumente', drop: 'Legen Sie Dateien hier ab oder', choose: 'wählen Sie Dateien', filesHelp: 'PDF, wenn die Regeln für dieses Dokument nicht mehr erlauben. Sie werden in dieser Reihenfolge eingereicht.', remove: 'Entfernen', removed: 'Datei entfernt.', sent: share => `${share} %`,
    check: 'Vor dem Einreichen', ready: 'Es kann eingereicht werden.', approval: party => `Über die Eintragung entscheidet: ${party}.`, noApproval: 'Es kommt sofort ins Register.', cannot: 'Es kann noch nicht eingereicht werden:', submit: 'Einreichen', submitted: 'Eingereicht.',
    withdraw: 'Zurückziehen', withdrawSure: 'Diesen Schriftsatz zurückziehen? Das lässt sich nicht rückgängig machen.', withdrawn: 'Zurückgezogen.', conflict: 'Jemand anderes hat diesen Entwurf geändert', conflictHelp: 'Die andere Fassung steht neben Ihrer. Ihre bleibt hier, bis Sie wählen.', theirs: 'Auf der Plattform', yours: 'Ihre',
    keepMine: 'Meine darüber speichern', takeTheirs: 'Die andere nehmen', decide: 'Entscheiden', approve: 'Billigen', approved: 'Gebilligt. Es steht im Register.', reject: 'Zurückweisen', rejectReason: 'Grund', rejectHelp: 'Wer eingereicht hat, liest ihn, kann den Schriftsatz ändern und wieder einreichen.', rejected: 'Zurückgewiesen.',
    rejectedBecause: 'Es wurde zurückgewiesen:', onDocket: 'Dieser Schriftsatz steht im Register.', seeEntry: 'Eintrag lesen', waits: 'Es ist eingereicht und wartet auf Billigung.', gone: 'Dieser Schriftsatz wurde zurückgezogen.', inCase: title => title, problems: 'Prüfen Sie diese Felder', lateMark: when => `Fällig am ${when}.`,
    empty: 'nicht ausgefüllt',
  },
};
