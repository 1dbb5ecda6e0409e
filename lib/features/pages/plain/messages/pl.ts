import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

// Names of sign-in providers follow “przez”, so that the one text without a name fits everywhere.
export const pl: Translation<typeof en> = {
  goToSignIn: 'Przejdź do logowania',
  support: 'Pomoc',
  tryAgain: 'Spróbuj ponownie',
  requestNumber: 'Numer żądania: {number}',
  minutes: '{count, plural, one {# minutę} few {# minuty} many {# minut} other {# minuty}}',
  seconds: '{count, plural, one {# sekundę} few {# sekundy} many {# sekund} other {# sekundy}}',
  notFoundTitle: 'Nie znaleziono strony',
  notFound:
    'Pod tym adresem nie ma żadnej strony. Adres może być niepełny albo strona mogła zostać przeniesiona.',
  noPageTitle: 'Nie można wyświetlić tej strony',
  noPage: 'Ten adres jest przeznaczony dla programów i nie ma strony.',
  tooManyTitle: 'Zbyt wiele prób',
  tooMany: 'Prób było zbyt wiele. Poczekaj {wait} i spróbuj ponownie.',
  notSignedInTitle: 'Brak zalogowania',
  forbiddenTitle: 'Nie możesz tego zrobić',
  didNotWorkTitle: 'Nie udało się',
  wrongTitle: 'Coś poszło nie tak',
  signOutFailedTitle: 'Wylogowanie nie powiodło się',
  signInFailedTitle: 'Logowanie nie powiodło się',
  expiredTitle: 'To logowanie nie jest już ważne',
  providerMissing:
    'Ten link prowadzi do sposobu logowania, który nie jest już dostępny. Przejdź do strony logowania i wybierz inny.',
  signInFirst: 'Przejdź do strony logowania, zaloguj się i spróbuj ponownie.',
  forbidden: 'Nie masz do tego uprawnień. Jeśli są Ci potrzebne, zwróć się do administratora.',
  conflict: 'Ktoś inny wprowadził zmianę w tym samym czasie. Spróbuj ponownie.',
  ourSide:
    'Coś poszło nie tak po naszej stronie. Spróbuj ponownie za chwilę. Jeśli problem nie ustąpi, podaj administratorowi poniższy numer żądania.',
  yourProvider: 'Twojego dostawcę logowania',
  startLinkInvalid:
    'Link prowadzący do logowania przez {provider} jest nieprawidłowy. Zacznij ponownie tutaj albo na stronie logowania.',
  responseUnreadable:
    'Nie udało się odczytać odpowiedzi przesłanej przez {provider}, więc logowanie nie doszło do skutku. Spróbuj ponownie. Jeśli problem nie ustąpi, skontaktuj się z administratorem.',
  signOutUnreadable:
    'Nie udało się użyć odpowiedzi przesłanej przez {provider}. Możliwe, że sesja tutaj nadal trwa. Sprawdź to na stronie logowania i wyloguj się tam.',
  linkInvalid: 'Ten link jest nieprawidłowy. Zacznij na stronie logowania.',
  failed:
    'Logowanie przez {provider} nie powiodło się. Spróbuj ponownie. Jeśli problem nie ustąpi, podaj administratorowi poniższy numer żądania.',
  noCookie:
    'Przeglądarka nie zachowała pliku cookie, którego wymaga logowanie. Zezwól na pliki cookie dla {host} i zaloguj się ponownie.',
  notStarted:
    'Logowanie przez {provider} nie rozpoczęło się tutaj albo rozpoczęło się zbyt dawno. Zacznij ponownie tutaj.',
  otherBrowser: 'Logowanie rozpoczęto w innej przeglądarce. Zaloguj się ponownie w tej.',
  ended: 'Logowanie już się zakończyło albo trwało zbyt długo. Zaloguj się ponownie.',
  signedOut: 'W międzyczasie nastąpiło wylogowanie przez {provider}. Zaloguj się ponownie.',
  signUpRefused:
    'Nie utworzono dla Ciebie konta. Jeśli uważasz, że powinno powstać, zapytaj osoby prowadzące tę usługę.',
  noAccount:
    'Tamto konto nie jest połączone z żadnym kontem tutaj. Jeśli masz tu konto, połącz je teraz: zaloguj się tutaj, a potem to potwierdź. W przeciwnym razie zwróć się do administratora.',
  needsInvitation:
    'Nowe konta wymagają tutaj zaproszenia. Jeśli je masz, otwórz link z zaproszenia i wybierz tam {provider}.',
  connectAccounts: 'Mam tu konto: zaloguj się i połącz',
  accountThere: 'Twoje konto w {provider}: {account}.',
  switchQuestion: 'Kontynuować jako {account}?',
  switchWarning:
    'Tutaj jest to inne konto. Jeśli to nie Ty właśnie logujesz się przez {provider}, pozostań na koncie {user}.',
  switchYes: 'Kontynuuj jako {account}',
  switchNo: 'Pozostań na koncie {user}',
  switchDone: 'Zalogowano jako {account}',
  connectQuestion: 'Połączyć {account} z {provider} z Twoim kontem {user}?',
  connectWarning:
    'Od tej chwili każdy, kto zaloguje się w {provider} jako {account}, będzie tu zalogowany jako {user}. Połącz tylko konto, które należy do Ciebie.',
  connectYes: 'Połącz',
  connectNo: 'Nie łącz',
  connectDone: 'Konta są połączone',
  createQuestion: 'Utworzyć tutaj konto?',
  createUnknown: 'Nie jest jeszcze połączone z żadnym kontem tutaj. Jeśli masz już tutaj konto, połącz je.',
  createYes: 'Utwórz konto',
  acceptTerms: 'Akceptuję {terms}',
  terms: 'regulamin (wersja {version})',
  codeQuestion: 'Wpisz kod',
  codeLabel: 'Kod z aplikacji uwierzytelniającej lub kod odzyskiwania',
  codeWrong: 'Kod jest błędny, wygasł lub został już użyty. Poczekaj na następny.',
  secondFactorNeeded:
    'Twoje konto wymaga drugiego potwierdzenia tożsamości. Na stronie logowania zaloguj się kluczem dostępu albo hasłem i kodem.',
  codeDone: 'Jesteś zalogowany',
  otherProvider: 'Twoja firma wymaga logowania przez {provider}.',
  disabled: 'Twoje konto jest tutaj wyłączone lub wygasło. Zwróć się do administratora.',
  taken:
    'Konto używane do logowania przez {provider} należy tutaj do innego użytkownika. Zaloguj się nim albo zwróć się do administratora.',
  signInToLink: 'Najpierw zaloguj się tutaj. Potem połącz konto używane do logowania przez {provider}.',
  organizationInactive: 'Z Twojej organizacji nie można tu obecnie korzystać. Zapytaj jej administratora.',
  organizationFull:
    'Twoja organizacja ma tu już maksymalną liczbę członków. Poproś jej administratora o miejsce.',
  notMember: 'Nie należysz do tej organizacji. Poproś jej administratora o dodanie Cię.',
  needsHttps:
    '{provider} loguje tylko pod adresem https z nazwą domeny, a {host} nim nie jest. Zaloguj się tutaj w inny sposób.',
  noNewProof:
    'Logowanie przez {provider} odbyło się bez ponownego potwierdzenia, a jest ono tutaj wymagane. Wyloguj się tam i spróbuj ponownie. Jeśli problem nie ustąpi, skontaktuj się z administratorem.',
  oldKey:
    'Nie udało się odczytać odpowiedzi przesłanej przez {provider}, podobnie jak wcześniejszych. Administrator musi odnowić to połączenie.',
  appRequestInvalid:
    'Aplikacja wysłała nieprawidłowe żądanie. Wróć do aplikacji albo skontaktuj się z jej operatorem.',
  appSignOutInvalid: 'Aplikacja wysłała nieprawidłowe żądanie. Nadal trwa Twoja sesja.',
  appExpired:
    'Logowanie już się zakończyło, wygasło albo rozpoczęto je w innej przeglądarce. Wróć do aplikacji i zaloguj się ponownie.',
  appOther: 'Wróć do aplikacji i spróbuj ponownie.',
  signOutTitle: 'Wylogować się?',
  signOutFrom: 'Poprzednia strona: {app}.',
  signOutAll: 'Nastąpi wylogowanie ze wszystkich aplikacji, które używają tego konta w tej przeglądarce.',
  signOut: 'Wyloguj się',
  staySignedIn: 'Nie wylogowuj',
  deviceTitle: 'Logowanie na urządzeniu',
  deviceEnter: 'Wpisz kod, który pokazuje Twoje urządzenie.',
  deviceCode: 'Kod',
  deviceUnknown: 'Ten kod jest błędny lub wygasł. Sprawdź kod na swoim urządzeniu.',
  deviceNext: 'Dalej',
  deviceSignInTo: 'Zalogować do {app}?',
  deviceUser: 'Zalogowano jako {user}.',
  deviceOtherUser: 'Użyj innego konta',
  deviceCompare:
    'Kontynuuj tylko wtedy, gdy Twoje urządzenie pokazuje ten kod i logowanie do {app} zostało na nim rozpoczęte przez Ciebie. Jeśli ktoś przysłał Ci kod lub link, anuluj.',
  deviceGets: '{app} otrzyma:',
  deviceGetsId: 'Twój identyfikator użytkownika oraz czas i sposób logowania',
  deviceGetsProfile: 'Twoje imię i nazwisko, nazwę użytkownika i język',
  deviceGetsEmail: 'Twój adres e-mail',
  deviceGetsPhone: 'Twój numer telefonu',
  deviceGetsAddress: 'Twój adres pocztowy',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'Twoje grupy',
  deviceGetsPermissions: 'Twoje uprawnienia',
  deviceGetsAttributes: 'dalsze informacje o Tobie',
  deviceGetsOrganization: 'Twoja organizacja i Twoje role w niej',
  deviceGetsAudience: 'dostęp w Twoim imieniu do {audience}',
  deviceGetsOffline: 'dostęp, dopóki nie zakończysz go na stronie swojego konta',
  requestChanged:
    'To żądanie zmieniło się po otwarciu strony. Nic się jeszcze nie stało. Przeczytaj je ponownie, zanim odpowiesz.',
  deviceContinue: 'Kontynuuj',
  deviceCancel: 'Anuluj',
  organizationQuestion: 'Wybierz organizację',
  organizationFor: 'Przejdziesz do {app} w ramach wybranej organizacji.',
  consentQuestion: 'Dać dostęp: {app}?',
  consentWarning:
    'Żaden administrator nie zarejestrował tej aplikacji. Kontynuuj tylko wtedy, gdy właśnie ją uruchomiono i masz zaufanie do {app}.',
  nativeAppWarning:
    'Każdy program na tym urządzeniu może podszyć się pod {app}. Kontynuuj tylko wtedy, gdy logowanie zostało tam właśnie rozpoczęte przez Ciebie.',
  consentAddress: 'Adres aplikacji: {address}',
  consentLeadsTo: 'Następnie przejdziesz do {target}.',
  deviceDoneTitle: 'Urządzenie jest zalogowane',
  deviceDone: 'Wróć do {app} na swoim urządzeniu. Możesz zamknąć tę stronę.',
  deviceDeniedTitle: 'Anulowano',
  deviceDenied: '{app} na urządzeniu nie ma dostępu do konta. Możesz zamknąć tę stronę.',
}
