import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const pl: Translation<typeof en> = {
  buttonHint: 'Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Zaloguj się',
  supportLink: 'Pomoc',
  privacyLink: 'Prywatność',
  termsLink: 'Regulamin',

  resetSubject: 'Ustaw nowe hasło do {product}',
  resetRequested: 'Otrzymaliśmy prośbę o nowe hasło do konta {username} w {host}.',
  resetInstruction: 'Aby ustawić nowe hasło, otwórz ten link:',
  resetButton: 'Ustaw nowe hasło',
  resetExpiry:
    'Link działa raz i wygaśnie za {minutes, plural, one {# minutę} few {# minuty} many {# minut} other {# minuty}}.',
  resetIgnore: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj tę wiadomość. Hasło się nie zmieni.',
  resetLockedSubject: 'Zaloguj się ponownie do {product}',
  resetLocked:
    'Ktoś podał prawidłowe hasło do konta {username} w {host}. Logowanie odrzucono, ponieważ wcześniej było zbyt wiele nieudanych prób. Aby się zalogować, najpierw ustaw nowe hasło.',
  resetBreached:
    'Ktoś podał prawidłowe hasło do konta {username} w {host}. To hasło znalazło się w wycieku danych z innej usługi, więc mogą je znać inne osoby. Aby się zalogować, najpierw ustaw nowe hasło.',
  resetLockedWarning: 'Jeśli to nie Ty, ktoś zna Twoje hasło. Ustaw teraz nowe.',

  quoted: '„{text}”',
  confirmationSubject: 'Potwierdź adres e-mail w {product}',
  confirmationEntered: 'Ten adres podano dla konta {username} w {host}.',
  confirmationInstruction: 'Jeśli to Twoje konto, potwierdź adres:',
  confirmationButton: 'Potwierdź ten adres',
  confirmationExpiry:
    'Link działa raz i wygaśnie za {days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}.',
  confirmationIgnore:
    'Jeśli to nie Twoje konto, otwórz link i wybierz „To nie jest moje konto”. Konto straci wtedy ten adres.',

  invitationSubject: 'Zaproszenie do {product}',
  invitationBy: '{inviter} zaprasza Cię do {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Masz zaproszenie do {product}.',
  invitationAccount: 'Twoje konto {username} w {host} jest gotowe. Wybierz sposób logowania:',
  invitationButton: 'Przyjmij zaproszenie',
  invitationExpiry:
    'Link działa raz i wygaśnie za {days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}. Po tym czasie poproś o nowe zaproszenie.',
  invitationIgnore:
    'Jeśli nie spodziewasz się tego zaproszenia, zignoruj tę wiadomość. Nie przekazuj linku dalej.',

  organizationInvitationSubject: 'Zaproszenie do {organization} w {product}',
  organizationInvitationBy: '{inviter} zaprasza Cię do organizacji {organization} w {host}.',
  organizationInvitationButton: 'Zobacz zaproszenie',
  organizationEndingSubject: 'Organizacja {organization} w {product} zostanie usunięta',
  organizationEndingHeading: 'Twoja organizacja zostanie usunięta',
  organizationEndingText:
    'Jedna z osób będących właścicielami poprosiła o usunięcie organizacji {organization} w {host}. Wraz z nią kończą się członkostwa, tokeny API i logowanie firmowe. Konta członków pozostają.',
  organizationEndingDay: 'Usunięcie',
  organizationEndingKeep: 'Do tego czasu każdy właściciel może zachować organizację.',
  organizationEndingButton: 'Zobacz ustawienia',
  organizationEndingReason: 'Otrzymujesz tę wiadomość, ponieważ masz w organizacji rolę właściciela.',

  signUpSubject: 'Utwórz konto w {product}',
  signUpEntered: 'Ten adres podano, aby utworzyć konto w {host}. Aby kontynuować, otwórz ten link:',
  signUpButton: 'Utwórz konto',
  signUpExpiry:
    'Link działa raz i wygaśnie za {hours, plural, one {# godzinę} few {# godziny} many {# godzin} other {# godziny}}.',
  signUpIgnore: 'Jeśli to nie Ty, zignoruj tę wiadomość. Bez otwarcia linku konto nie powstanie.',
  signUpKnownSubject: 'Masz już konto w {product}',
  signUpKnown: 'Ten adres podano, aby utworzyć konto w {host}. Konto z tym adresem już istnieje.',
  signUpKnownInstruction: 'Zaloguj się tym adresem. Jeśli nie pamiętasz hasła, ustaw tam nowe:',
  signUpKnownIgnore: 'Jeśli to nie Ty, zignoruj tę wiadomość. Nic się nie zmieniło.',
  signUpWaitingSubject: 'Ktoś czeka na konto w {product}',
  signUpWaiting: '{person} prosi o konto w {host}. Ten adres jest potwierdzony.',
  signUpWaitingButton: 'Rozpatrz prośbę',
  signUpWaitingReason: 'Otrzymujesz tę wiadomość, ponieważ wskazują Cię zasady rejestracji.',

  codeSubject: 'Kod logowania do {product}',
  codeInstruction: 'Użyj tego kodu, aby zalogować się na konto {username} w {host}:',
  codePlace: 'Wpisz go na stronie, na której padła prośba o kod. Nigdzie indziej nie zadziała.',
  codeExpiry:
    'Kod działa raz i wygaśnie za {minutes, plural, one {# minutę} few {# minuty} many {# minut} other {# minuty}}.',
  codeOrigin: 'Prośba o kod pochodzi z adresu {address}.',
  codeIgnore: 'Jeśli to nie Ty, zignoruj tę wiadomość i nikomu nie podawaj kodu.',
  joinCodeSubject: 'Kod dołączenia do {organization} w {product}',
  joinCodeInstruction:
    'Użyj tego kodu, aby dołączyć do organizacji {organization} w {host} na koncie {username}:',

  linkSubject: '{name} (przez {product}): {subject}',
  linkHeading: '{name} udostępnia Ci treści',
  linkHeadingObject: '{name} udostępnia Ci {object}',
  linkHeadingCount:
    '{name} udostępnia Ci {count, plural, one {# element} few {# elementy} many {# elementów} other {# elementu}}',
  linkBehalf: 'Wysłano w imieniu {account}, z konta w {host}.',
  linkQuote: '{name} pisze:',
  linkButton: 'Otwórz link',
  linkPassword: 'Link jest chroniony hasłem, którego nie ma w tej wiadomości. Hasło zna {name}.',
  linkSignIn: 'Aby go otworzyć, trzeba się zalogować.',
  linkSharing: 'Każdy, kto ma ten link, może go otworzyć. Nie udostępniaj go.',
  linkSharingWithPassword: 'Każdy, kto ma ten link i hasło, może go otworzyć. Nie udostępniaj ich.',
  linkViews:
    'Link można otworzyć {count, plural, one {jeden raz} few {# razy} many {# razy} other {# raza}}.',
  linkExpiry: 'Działa do {time}.',
  linkIgnore: 'Jeśli nie znasz nadawcy ({name}) lub nie spodziewasz się tej wiadomości, zignoruj ją.',

  certificateExpiresSubject:
    'Certyfikat SAML wygaśnie za {days, plural, one {jeden dzień} few {# dni} many {# dni} other {# dnia}}',
  certificateExpiredSubject: 'Certyfikat SAML wygasł',
  certificateExpires:
    'Certyfikat dostawcy SAML {provider} (ID {id}) w {host} wygaśnie {time}. Jeśli nie zostanie wymieniony, logowanie przez tego dostawcę może przestać działać.',
  certificateExpired:
    'Certyfikat dostawcy SAML {provider} (ID {id}) w {host} wygasł {time}. Jeśli nie zostanie wymieniony, logowanie przez tego dostawcę może przestać działać.',
  certificateOfProvider:
    'Certyfikat należy do dostawcy tożsamości. Gdy dostawca będzie mieć nowy, otwórz go w panelu administracyjnym i odśwież jego metadane. Jeśli metadane mają adres, dzieje się to automatycznie każdego dnia.',
  certificateOfService:
    'Certyfikat należy do tej usługi. Otwórz dostawcę w panelu administracyjnym i opublikuj nowy klucz. Gdy dostawca tożsamości ponownie odczyta metadane, przełącz tam na nowy klucz.',
  certificateButton: 'Otwórz dostawcę',
  certificateReason: 'Administratorzy otrzymują tę wiadomość 60, 30 i 7 dni przed wygaśnięciem certyfikatu.',

  setupMetadataSubject: 'Wysłano metadane dla {provider}',
  setupLiveSubject: '{provider} działa',
  setupMetadata:
    'Osoba z Twoim linkiem konfiguracyjnym wysłała metadane dostawcy tożsamości dla {provider} (ID {id}) w {host}.',
  setupLive:
    'Połączenie {provider} (ID {id}) w {host} działa. Logowanie odbywa się teraz przez tego dostawcę tożsamości.',
  setupEntityId: 'Entity ID',
  setupSource: 'Metadane',
  setupPasted: 'wklejone',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domena',
  setupCompare:
    'Właściciel każdego certyfikatu może logować się jako osoby z tej firmy. Porównaj certyfikaty z klientem, ale nie pocztą e-mail. Jeśli któryś jest niewłaściwy, usuń połączenie.',
  setupProposal:
    'Metadane pod tym adresem nie będą ponownie odczytywane, dopóki nie wybierzesz adresu w panelu administracyjnym.',
  setupReason: 'Otrzymujesz tę wiadomość, bo ten link konfiguracyjny jest Twój.',

  noticeAccount: 'Konto',
  noticeAccountValue: '{username} w {host}',
  noticeTime: 'Czas',
  noticeFrom: 'Skąd',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Kto',
  noticeByAdministrator: 'administrator',
  noticeQuestion: 'Jeśli to Ty, zignoruj tę wiadomość. Jeśli to nie Ty, otwórz ten link:',
  noticeButton: 'To nie ja',
  noticePage: 'Zanim cokolwiek się zmieni, strona wyjaśni, co się stanie.',
  noticeExpiry: 'Link wygaśnie za {days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}.',
  noticeAskAdministrator: 'Jeśli się tego nie spodziewasz, zapytaj administratora.',
  noticeReason: 'Tych wiadomości nie można wyłączyć, ponieważ chronią Twoje konto.',
  deviceWithBrowser: '{browser}, {system}',
  deviceWithoutBrowser: 'nieznany program, {system}',
  deviceUnknown: 'nieznany program',

  passwordChangedSubject: 'Hasło zostało zmienione',
  passwordChangedText: 'Hasło do Twojego konta zostało zmienione. Wszystkie inne sesje zakończono.',
  passwordResetSubject: 'Hasło zostało zresetowane',
  passwordResetText: 'Nowe hasło ustawiono za pomocą linku resetującego. Wszystkie sesje zakończono.',
  passwordSetSubject: 'Administrator ustawił Ci nowe hasło',
  passwordSetText: 'Administrator ustawił nowe hasło do Twojego konta. Wszystkie sesje zakończono.',
  emailChangedSubject: 'Adres e-mail został zmieniony',
  emailChangedText:
    'Twoje konto ma teraz inny adres e-mail. Wiadomości dotyczące konta nie będą już przychodzić na ten adres.',
  emailMovedSubject: 'Twój adres e-mail należy teraz do innego konta',
  emailMovedText:
    'Twoja firma zalogowała kogoś z tym adresem. Adres należy teraz do tamtego konta, a konto podane poniżej już go nie ma. Wszystko inne na koncie pozostaje, a logowanie do niego działa jak dotąd. Jeśli oba konta są Twoje, poproś administratora o ich połączenie.',
  secondFactorEnabledSubject: 'Drugi składnik został włączony',
  secondFactorEnabledText: 'Do logowania jest teraz potrzebny także kod z aplikacji uwierzytelniającej.',
  secondFactorDisabledSubject: 'Drugi składnik został wyłączony',
  secondFactorDisabledText: 'Do logowania nie jest już potrzebny kod z aplikacji uwierzytelniającej.',
  recoveryCodeUsedSubject: 'Użyto kodu odzyskiwania',
  recoveryCodeUsedText:
    'Zamiast kodu z aplikacji uwierzytelniającej użyto kodu odzyskiwania. Ten kod już więcej nie zadziała.',
  recoveryCodesRenewedSubject: 'Kody odzyskiwania zostały zastąpione',
  recoveryCodesRenewedText: 'Twoje konto ma nowe kody odzyskiwania. Poprzednie kody już nie działają.',
  deviceRememberedSubject: 'Zapamiętano przeglądarkę',
  deviceRememberedText:
    'W przeglądarce, w której użyto drugiego składnika, logowanie hasłem przez ograniczony czas już o niego nie prosi.',
  rememberedDeviceReusedSubject: 'Usunięto zapamiętaną przeglądarkę',
  rememberedDeviceReusedText:
    'Ktoś, kto znał Twoje hasło, użył starej kopii danych zapamiętanej przeglądarki. Ta przeglądarka nie jest już zapamiętana. Zmień hasło, jeśli nie znasz przyczyny.',
  passkeyAddedSubject: 'Dodano klucz dostępu',
  passkeyAddedText: 'Do Twojego konta dodano klucz dostępu. Można się nim teraz logować.',
  passkeyRemovedSubject: 'Usunięto klucz dostępu',
  passkeyRemovedText:
    'Z Twojego konta usunięto klucz dostępu. Nie można się nim już logować, a inne sesje zakończono.',
  passkeyClonedSubject: 'Odrzucono klucz dostępu',
  passkeyClonedText:
    'Klucz dostępu do Twojego konta odrzucono, ponieważ może istnieć jego kopia. Usuń ten klucz, jeśli nie znasz przyczyny.',
  passkeyRequiredSubject: 'Hasło wymaga teraz klucza dostępu',
  passkeyRequiredText: 'Do logowania hasłem jest teraz potrzebny także klucz dostępu.',
  passkeyOptionalSubject: 'Hasło nie wymaga już klucza dostępu',
  passkeyOptionalText: 'Do logowania hasłem nie jest już potrzebny klucz dostępu.',
  apiTokenCreatedSubject: 'Utworzono token API',
  apiTokenCreatedText:
    'Dla Twojego konta utworzono nowy token API. Programy mogą dzięki niemu działać z Twoimi uprawnieniami.',
  apiTokenRevokedSubject: 'Administrator usunął Twój token API',
  apiTokenRevokedText:
    'Administrator usunął token API Twojego konta. Token już nie działa. Jeśli używał go jakiś program, przed utworzeniem nowego zapytaj administratora o powód.',
  companyAccountLinkedSubject: 'Połączono inne konto z Twoim',
  companyAccountLinkedText:
    'Z Twoim kontem połączono konto u dostawcy tożsamości. Można się nim teraz logować.',
  companyAccountUnlinkedSubject: 'Odłączono konto połączone z Twoim',
  companyAccountUnlinkedText:
    'Od Twojego konta odłączono konto u dostawcy tożsamości. Nie można się nim już logować, a inne sesje zakończono.',
  signInByCompanySubject: 'Teraz logujesz się przez swoją firmę',
  signInByCompanyText:
    'Twoje konto zostało połączone z logowaniem Twojej firmy, ponieważ ma Twój firmowy adres e-mail. Wszystkie inne sposoby logowania przestały działać: hasło, aplikacja uwierzytelniająca, klucze dostępu, tokeny API i inne połączone konta. Zaloguj się przez firmę, aby ponownie dodać te, których potrzebujesz.',
  credentialLeakedSubject: 'Twoje dane dostępowe wyciekły',
  credentialLeakedText:
    'Sesję, token API lub link Twojego konta znaleziono w miejscu dostępnym dla innych. Ten dostęp zakończono i już nie działa. Jeśli używał go jakiś program, utwórz nowy. Usuń stary z miejsca, w którym go opublikowano.',
  signInLockedSubject: 'Zbyt wiele nieudanych prób logowania na Twoje konto',
  signInLockedText:
    'Odnotowaliśmy 100 nieudanych prób logowania na Twoje konto z rzędu. Nadal możesz logować się w znanych nam przeglądarkach i sieciach. Aby zalogować się skądinąd, zresetuj hasło.',
  emailRestoredSubject: 'Twój adres e-mail został usunięty z konta',
  emailRestoredText:
    'Konto ma znowu poprzedni adres e-mail. Ktoś z dostępem do tego adresu zgłosił, że zmiana nie pochodziła od niego. Jeśli to pomyłka, zwróć się do administratora.',
  administratorAddedSubject: 'Dodano nowego administratora',
  administratorAddedText:
    'Konto otrzymało uprawnienia administratora. Jego użytkownik może tu teraz wszystko.',
  administratorGroupChangedSubject: 'Zmieniono grupę administratorów',
  administratorGroupChangedText:
    'Grupa otrzymała uprawnienia administratora albo grupa z tymi uprawnieniami ma nowych członków. Członkowie mogą tu teraz wszystko.',
  administratorSignInSetSubject: 'Zmieniono sposób logowania administratora',
  administratorSignInSetText:
    'Ktoś inny zmienił hasło, adres e-mail lub inny sposób logowania administratora.',
  accountDeletionRequestedSubject: 'Poproszono o usunięcie Twojego konta',
  accountDeletionRequestedText:
    'Osoba zalogowana na Twoje konto poprosiła o jego usunięcie. Do tego czasu możesz wycofać prośbę na stronie swojego konta.',
  accountDeletionWithdrawnSubject: 'Wycofano prośbę o usunięcie Twojego konta',
  accountDeletionWithdrawnText:
    'Osoba zalogowana na Twoje konto wycofała prośbę o jego usunięcie. Konto pozostaje. Jeśli nadal chcesz je usunąć, poproś o to ponownie na stronie swojego konta.',
  accountDeletionAskedSubject: 'Użytkownik prosi o usunięcie swojego konta',
  accountDeletionAskedText: 'Użytkownik chce odejść, a w tej usłudze decydują o tym administratorzy.',
  accountDeletionAskedAct:
    'Użytkownik nie może sam usunąć konta. Usuń je w administracji albo zapytaj użytkownika, jeśli coś jest niejasne.',
  accountDeletionAskedButton: 'Otwórz użytkownika',
  administratorNoticeGroup: 'Grupa',
  administratorNoticeAct:
    'Jeśli się tego nie spodziewasz, sprawdź dziennik audytu i zakończ sesje osoby, która to zrobiła.',
  administratorNoticeButton: 'Otwórz dziennik audytu',
  administratorNoticeReason:
    'Administratorzy nie mogą wyłączyć tych wiadomości, ponieważ chronią one usługę.',
  organizationOwnerAddedSubject: 'Organizacja ma nowego właściciela',
  organizationOwnerAddedText: 'Organizacja ma nowego właściciela. Właściciele mogą w niej robić wszystko.',
  organizationTokenCreatedSubject: 'Utworzono token API organizacji',
  organizationTokenCreatedText:
    'Organizacja ma nowy token API. Programy działają nim w imieniu organizacji, także po odejściu osoby, która go utworzyła.',
  organizationSignInAddedSubject: 'Do organizacji dodano logowanie firmowe',
  organizationSignInAddedText:
    'Organizacja ma nowe połączenie z dostawcą tożsamości. Gdy zacznie działać, inne osoby będą mogły zostać przez nie członkami.',
  organizationDomainProvenSubject: 'Potwierdzono domenę organizacji',
  organizationDomainProvenText:
    'Organizacja ma nową potwierdzoną domenę. Osoby z adresami w tej domenie mogą się logować przez logowanie firmowe.',
  organizationRolesReportedSubject: 'Ktoś zgłosił kradzież swojego konta',
  organizationRolesReportedText:
    'Osoba z organizacji zgłosiła, że zmiany na jej koncie nie pochodziły od niej. Jej tokeny API i otwarte zaproszenia od tego czasu wygasły. Od tego czasu to konto nadało role następującym członkom. Role pozostają, dopóki ich nie zmienisz.',
  directoryOwnerKeptSubject: 'Ostatni właściciel organizacji opuścił jej katalog',
  directoryOwnerKeptText:
    'Katalog organizacji usunął jej ostatniego właściciela. Jego sesje i logowanie tam zostały zakończone. Członkostwo trwa, dopóki ktoś inny nie zostanie właścicielem: nadaj tę rolę innemu członkowi, a katalog zakończy je przy następnym żądaniu.',
  directoryPeopleLeftSubject: 'Wiele osób opuściło katalog połączenia',
  directoryPeopleLeftText:
    'W ciągu dziesięciu minut katalog połączenia usunął ponad 50 osób i ponad jedną piątą wszystkich. Ich dostęp został zakończony. Jeśli to pomyłka, zatrzymaj katalog na stronie połączenia i przywróć tam te osoby.',
  signInHookFailedSubject: 'Nikt nie może się zalogować, bo funkcja produktu nie działa',
  signInHookFailedText:
    'Usługa przy każdym logowaniu pyta funkcję produktu, a ta nie daje przydatnej odpowiedzi. Zalogować mogą się tylko administratorzy, kluczem dostępu lub drugim składnikiem. Poniższe konto to zrobiło. Napraw funkcję albo wyłącz hook w ustawieniach usługi.',
  directoryPeopleLeftButton: 'Zobacz połączenie',
  ownerNoticeOrganization: 'Organizacja',
  ownerNoticeConcerns: 'Dotyczy',
  ownerNoticeRoles: 'Nadane role',
  ownerNoticeAct: 'Jeśli się tego nie spodziewasz, sprawdź to i zakończ.',
  ownerNoticeButton: 'Zobacz organizację',
  signInEndedSubject: 'Trzeba ponownie skonfigurować logowanie',
  signInEndedText:
    'Twoje konto otrzymało nowe uprawnienia. Wcześniej sposób logowania ustaliła osoba, która ich nie ma, albo logowanie Twojej firmy. Dlatego już nie działa. Otrzymasz link do ustawienia nowego hasła albo pomoże Ci administrator. Potem możesz ponownie połączyć konto firmowe na stronie swojego konta.',
  newDeviceSubject: 'Nowe logowanie na Twoje konto',
  newDeviceText: 'Na Twoje konto zalogowano się z urządzenia, którego wcześniej nie używano.',
}
