import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const nl: Translation<typeof en> = {
  buttonHint: 'Werkt de knop niet? Kopieer dan dit adres naar je browser:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Inloggen',
  supportLink: 'Hulp',
  privacyLink: 'Privacy',
  termsLink: 'Voorwaarden',

  resetSubject: 'Kies een nieuw wachtwoord voor {product}',
  resetRequested: 'Er is een nieuw wachtwoord aangevraagd voor het account {username} op {host}.',
  resetInstruction: 'Open deze link om een nieuw wachtwoord te kiezen:',
  resetButton: 'Nieuw wachtwoord kiezen',
  resetExpiry: 'De link werkt één keer en verloopt over {minutes, plural, one {# minuut} other {# minuten}}.',
  resetIgnore: 'Heb je dit niet aangevraagd? Dan kun je deze e-mail negeren. Je wachtwoord blijft hetzelfde.',
  resetLockedSubject: 'Log weer in bij {product}',
  resetLocked:
    'Iemand heeft het juiste wachtwoord ingevoerd voor het account {username} op {host}. Inloggen is geweigerd omdat er eerder te veel mislukte pogingen waren. Kies eerst een nieuw wachtwoord om in te loggen.',
  resetBreached:
    'Iemand heeft het juiste wachtwoord ingevoerd voor het account {username} op {host}. Dit wachtwoord staat in een datalek van een andere dienst, dus anderen kunnen het kennen. Kies eerst een nieuw wachtwoord om in te loggen.',
  resetLockedWarning: 'Was jij dit niet? Dan kent iemand je wachtwoord. Kies nu een nieuw wachtwoord.',

  quoted: '“{text}”',
  confirmationSubject: 'Bevestig je e-mailadres voor {product}',
  confirmationEntered: 'Dit adres is ingevoerd voor het account {username} op {host}.',
  confirmationInstruction: 'Is dit jouw account? Bevestig dan het adres:',
  confirmationButton: 'Adres bevestigen',
  confirmationExpiry: 'De link werkt één keer en verloopt over {days, plural, one {# dag} other {# dagen}}.',
  confirmationIgnore:
    'Is dit niet jouw account? Open dan de link en kies “Dit is niet mijn account”. Het account verliest het adres dan.',

  invitationSubject: 'Je bent uitgenodigd voor {product}',
  invitationBy: '{inviter} heeft je uitgenodigd voor {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Je bent uitgenodigd voor {product}.',
  invitationAccount: 'Je account {username} op {host} staat klaar. Kies hoe je wilt inloggen:',
  invitationButton: 'Uitnodiging accepteren',
  invitationExpiry:
    'De link werkt één keer en verloopt over {days, plural, one {# dag} other {# dagen}}. Vraag daarna om een nieuwe uitnodiging.',
  invitationIgnore:
    'Had je deze uitnodiging niet verwacht? Dan kun je deze e-mail negeren. Geef de link niet door.',

  organizationInvitationSubject: 'Uitnodiging voor {organization} bij {product}',
  organizationInvitationBy: '{inviter} heeft je uitgenodigd voor de organisatie {organization} bij {host}.',
  organizationInvitationButton: 'Uitnodiging bekijken',
  organizationEndingSubject: '{organization} bij {product} wordt verwijderd',
  organizationEndingHeading: 'Je organisatie wordt verwijderd',
  organizationEndingText:
    'Een eigenaar heeft gevraagd om de organisatie {organization} bij {host} te verwijderen. De lidmaatschappen, API-tokens en bedrijfsaanmelding eindigen dan ook. De accounts van de leden blijven bestaan.',
  organizationEndingDay: 'Verwijdering',
  organizationEndingKeep: 'Tot die tijd kan elke eigenaar de organisatie behouden.',
  organizationEndingButton: 'Instellingen bekijken',
  organizationEndingReason: 'Je krijgt deze e-mail omdat je eigenaar van de organisatie bent.',

  signUpSubject: 'Maak je account voor {product} aan',
  signUpEntered:
    'Dit adres is ingevoerd om een account op {host} aan te maken. Open deze link om verder te gaan:',
  signUpButton: 'Account aanmaken',
  signUpExpiry: 'De link werkt één keer en verloopt over {hours, plural, one {# uur} other {# uur}}.',
  signUpIgnore: 'Was jij dit niet? Negeer dan deze e-mail. Zonder de link wordt er geen account aangemaakt.',
  signUpKnownSubject: 'Je hebt al een account voor {product}',
  signUpKnown:
    'Dit adres is ingevoerd om een account op {host} aan te maken. Je hebt met dit adres al een account.',
  signUpKnownInstruction: 'Log in met dit adres. Ben je je wachtwoord vergeten? Kies daar dan een nieuw:',
  signUpKnownIgnore: 'Was jij dit niet? Dan kun je deze e-mail negeren. Er is niets veranderd.',
  signUpWaitingSubject: 'Iemand wacht op een account voor {product}',
  signUpWaiting: '{person} wil een account op {host} en heeft dit adres bevestigd.',
  signUpWaitingButton: 'Aanvraag beoordelen',
  signUpWaitingReason: 'Je krijgt deze e-mail omdat je in het registratiebeleid staat.',

  codeSubject: 'Je inlogcode voor {product}',
  codeInstruction: 'Gebruik deze code om in te loggen bij het account {username} op {host}:',
  codePlace: 'Voer de code in op de pagina waar je erom hebt gevraagd. Hij werkt nergens anders.',
  codeExpiry: 'De code werkt één keer en verloopt over {minutes, plural, one {# minuut} other {# minuten}}.',
  codeOrigin: 'De code is aangevraagd vanaf het adres {address}.',
  codeIgnore: 'Was jij dit niet? Negeer dan deze e-mail en geef de code niet door.',
  joinCodeSubject: 'Je code om lid te worden van {organization} bij {product}',
  joinCodeInstruction:
    'Gebruik deze code om met het account {username} lid te worden van de organisatie {organization} op {host}:',

  linkSubject: '{name} (via {product}): {subject}',
  linkHeading: '{name} heeft iets met je gedeeld',
  linkHeadingObject: '{name} heeft {object} met je gedeeld',
  linkHeadingCount: '{name} heeft {count, plural, one {# item} other {# items}} met je gedeeld',
  linkBehalf: 'Verzonden namens {account}, met een account op {host}.',
  linkQuote: '{name} schrijft:',
  linkButton: 'Link openen',
  linkPassword:
    'De link is beveiligd met een wachtwoord dat niet in deze e-mail staat. Vraag het aan {name}.',
  linkSignIn: 'Je moet inloggen om de link te openen.',
  linkSharing: 'Iedereen met deze link kan hem openen. Deel hem niet.',
  linkSharingWithPassword: 'Iedereen met deze link en het wachtwoord kan hem openen. Deel ze niet.',
  linkViews: 'De link kan {count, plural, one {één keer} other {# keer}} worden geopend.',
  linkExpiry: 'De link werkt tot {time}.',
  linkIgnore: 'Ken je {name} niet of had je deze e-mail niet verwacht? Dan kun je hem negeren.',

  certificateExpiresSubject:
    'Een SAML-certificaat verloopt over {days, plural, one {een dag} other {# dagen}}',
  certificateExpiredSubject: 'Een SAML-certificaat is verlopen',
  certificateExpires:
    'Een certificaat voor de SAML-provider {provider} (ID {id}) op {host} verloopt op {time}. Als het certificaat niet wordt vervangen, werkt inloggen via deze provider mogelijk niet meer.',
  certificateExpired:
    'Een certificaat voor de SAML-provider {provider} (ID {id}) op {host} is verlopen op {time}. Als het certificaat niet wordt vervangen, werkt inloggen via deze provider mogelijk niet meer.',
  certificateOfProvider:
    'Het certificaat is van de identiteitsprovider. Zodra die een nieuw certificaat heeft, open je de provider in het beheer en vernieuw je de metadata. Hebben de metadata een adres, dan gebeurt dit elke dag automatisch.',
  certificateOfService:
    'Het certificaat is van deze dienst. Open de provider in het beheer en publiceer een nieuwe sleutel. Zodra de identiteitsprovider de metadata opnieuw heeft gelezen, schakel je daar over op de nieuwe sleutel.',
  certificateButton: 'Provider openen',
  certificateReason: 'Beheerders krijgen deze e-mail 60, 30 en 7 dagen voordat een certificaat verloopt.',

  setupMetadataSubject: 'Er zijn metadata gestuurd voor {provider}',
  setupLiveSubject: '{provider} is in gebruik',
  setupMetadata:
    'Iemand met je instellink heeft de metadata van een identiteitsprovider gestuurd voor {provider} (ID {id}) bij {host}.',
  setupLive:
    'De verbinding {provider} (ID {id}) bij {host} is in gebruik. Inloggen gaat nu via deze identiteitsprovider.',
  setupEntityId: 'Entity ID',
  setupSource: 'Metadata',
  setupPasted: 'geplakt',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domein',
  setupCompare:
    'De eigenaar van elk certificaat kan inloggen als de mensen van het bedrijf. Vergelijk de certificaten met de klant, en niet per e-mail. Klopt er een niet, verwijder dan de verbinding.',
  setupProposal: 'De metadata op dit adres worden pas weer gelezen als je het adres in het beheer kiest.',
  setupReason: 'Je krijgt deze e-mail omdat je de instellink hebt gemaakt.',

  noticeAccount: 'Account',
  noticeAccountValue: '{username} op {host}',
  noticeTime: 'Tijdstip',
  noticeFrom: 'Vanaf',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Door',
  noticeByAdministrator: 'een beheerder',
  noticeQuestion: 'Was jij dit? Dan kun je deze e-mail negeren. Was jij dit niet? Open dan deze link:',
  noticeButton: 'Dit was ik niet',
  noticePage: 'De pagina legt eerst uit wat er gebeurt. Pas daarna verandert er iets.',
  noticeExpiry: 'De link verloopt over {days, plural, one {# dag} other {# dagen}}.',
  noticeAskAdministrator: 'Had je dit niet verwacht? Vraag het je beheerder.',
  noticeReason: 'Je kunt deze e-mails niet uitzetten, omdat ze je account beschermen.',
  deviceWithBrowser: '{browser} op {system}',
  deviceWithoutBrowser: 'een onbekend programma op {system}',
  deviceUnknown: 'een onbekend programma',

  passwordChangedSubject: 'Je wachtwoord is gewijzigd',
  passwordChangedText: 'Het wachtwoord van je account is gewijzigd. Alle andere sessies zijn beëindigd.',
  passwordResetSubject: 'Je wachtwoord is opnieuw ingesteld',
  passwordResetText: 'Via een resetlink is een nieuw wachtwoord ingesteld. Alle sessies zijn beëindigd.',
  passwordSetSubject: 'Een beheerder heeft een nieuw wachtwoord voor je ingesteld',
  passwordSetText:
    'Een beheerder heeft een nieuw wachtwoord voor je account ingesteld. Alle sessies zijn beëindigd.',
  emailChangedSubject: 'Je e-mailadres is gewijzigd',
  emailChangedText:
    'Je account heeft nu een ander e-mailadres. E-mails van je account gaan niet meer naar dit adres.',
  emailMovedSubject: 'Je e-mailadres hoort nu bij een ander account',
  emailMovedText:
    'Je bedrijf heeft iemand met dit adres ingelogd. Het adres hoort nu bij dat account, en het account hieronder heeft het niet meer. Al het andere in het account blijft, en je logt er in zoals voorheen. Zijn beide accounts van jou? Vraag een beheerder om ze samen te voegen.',
  secondFactorEnabledSubject: 'Je tweede factor is ingeschakeld',
  secondFactorEnabledText: 'Om in te loggen is nu ook een code uit een authenticator-app nodig.',
  secondFactorDisabledSubject: 'Je tweede factor is uitgeschakeld',
  secondFactorDisabledText: 'Om in te loggen is geen code uit een authenticator-app meer nodig.',
  recoveryCodeUsedSubject: 'Er is een herstelcode gebruikt',
  recoveryCodeUsedText:
    'In plaats van de code uit je authenticator-app is een herstelcode gebruikt. Die werkt niet nog een keer.',
  recoveryCodesRenewedSubject: 'Je herstelcodes zijn vervangen',
  recoveryCodesRenewedText: 'Je account heeft nieuwe herstelcodes. De oude codes werken niet meer.',
  deviceRememberedSubject: 'Een browser is onthouden',
  deviceRememberedText:
    'In een browser waarin de tweede factor is gebruikt, wordt daar bij inloggen met je wachtwoord een beperkte tijd niet meer om gevraagd.',
  rememberedDeviceReusedSubject: 'Een onthouden browser is verwijderd',
  rememberedDeviceReusedText:
    'Iemand die je wachtwoord kende, heeft een oude kopie van de gegevens van een onthouden browser gebruikt. De browser wordt niet meer onthouden. Wijzig je wachtwoord als je niet weet waarom.',
  passkeyAddedSubject: 'Er is een passkey toegevoegd',
  passkeyAddedText:
    'Er is een passkey aan je account toegevoegd. Daarmee kan nu bij je account worden ingelogd.',
  passkeyRemovedSubject: 'Er is een passkey verwijderd',
  passkeyRemovedText:
    'Er is een passkey van je account verwijderd. Inloggen kan er niet meer mee, en andere sessies zijn beëindigd.',
  passkeyClonedSubject: 'Er is een passkey geweigerd',
  passkeyClonedText:
    'Een passkey van je account is geweigerd, omdat er mogelijk een kopie van bestaat. Verwijder deze passkey als je niet weet waarom.',
  passkeyRequiredSubject: 'Bij je wachtwoord is nu een passkey nodig',
  passkeyRequiredText: 'Om met je wachtwoord in te loggen is nu ook een passkey nodig.',
  passkeyOptionalSubject: 'Bij je wachtwoord is geen passkey meer nodig',
  passkeyOptionalText: 'Om met je wachtwoord in te loggen is geen passkey meer nodig.',
  apiTokenCreatedSubject: 'Er is een API-token aangemaakt',
  apiTokenCreatedText:
    'Er is een nieuw API-token voor je account aangemaakt. Programma’s kunnen daarmee handelen met jouw rechten.',
  apiTokenRevokedSubject: 'Een beheerder heeft een API-token van je verwijderd',
  apiTokenRevokedText:
    'Een beheerder heeft een API-token van je account verwijderd. Het werkt niet meer. Gebruikte een programma het? Vraag de beheerder dan naar de reden voordat je een nieuw token aanmaakt.',
  companyAccountLinkedSubject: 'Er is een ander account aan het jouwe gekoppeld',
  companyAccountLinkedText:
    'Een account bij een identiteitsprovider is aan je account gekoppeld. Daarmee kan nu bij je account worden ingelogd.',
  companyAccountUnlinkedSubject: 'Er is een account van het jouwe losgekoppeld',
  companyAccountUnlinkedText:
    'Een account bij een identiteitsprovider is van je account losgekoppeld. Inloggen kan er niet meer mee, en andere sessies zijn beëindigd.',
  signInByCompanySubject: 'Je logt nu in via je bedrijf',
  signInByCompanyText:
    'Je account is gekoppeld aan de inlog van je bedrijf, omdat het je e-mailadres van het bedrijf heeft. Alle andere manieren om in te loggen zijn beëindigd: wachtwoord, authenticator-app, passkeys, API-tokens en andere gekoppelde accounts. Log in via je bedrijf om toe te voegen wat je weer nodig hebt.',
  credentialLeakedSubject: 'Inloggegevens van je zijn gelekt',
  credentialLeakedText:
    'Een sessie, een API-token of een link van je account is gevonden op een plek waar anderen kunnen meelezen. De toegang is beëindigd en werkt niet meer. Gebruikte een programma deze toegang? Maak dan een nieuwe aan. Haal de oude weg van de plek waar die is gepubliceerd.',
  signInLockedSubject: 'Te veel mislukte pogingen om bij je account in te loggen',
  signInLockedText:
    'Er zijn 100 mislukte pogingen achter elkaar gedaan om bij je account in te loggen. Met browsers en via netwerken die je eerder hebt gebruikt, kun je gewoon inloggen. Wil je ergens anders inloggen? Stel dan een nieuw wachtwoord in.',
  emailRestoredSubject: 'Je e-mailadres is uit een account verwijderd',
  emailRestoredText:
    'Het account heeft weer zijn vorige e-mailadres. Iemand met toegang tot dat adres heeft gemeld dat de wijziging niet van hem of haar kwam. Klopt dat niet? Vraag het een beheerder.',
  administratorAddedSubject: 'Er is een nieuwe beheerder toegevoegd',
  administratorAddedText:
    'Een account heeft beheerdersrechten gekregen. De gebruiker kan hier nu alles doen.',
  administratorGroupChangedSubject: 'Een groep beheerders is gewijzigd',
  administratorGroupChangedText:
    'Een groep heeft beheerdersrechten gekregen, of een groep met die rechten heeft nieuwe leden gekregen. De leden kunnen hier nu alles doen.',
  administratorSignInSetSubject: 'De inlogmethode van een beheerder is gewijzigd',
  administratorSignInSetText:
    'Iemand anders heeft het wachtwoord, het e-mailadres of een andere inlogmethode van een beheerder gewijzigd.',
  accountDeletionRequestedSubject: 'Er is gevraagd om je account te verwijderen',
  accountDeletionRequestedText:
    'Iemand die bij je account is ingelogd, heeft gevraagd om het te verwijderen. Tot die tijd kun je het verzoek intrekken op de pagina van je account.',
  accountDeletionWithdrawnSubject: 'Het verzoek om je account te verwijderen is ingetrokken',
  accountDeletionWithdrawnText:
    'Iemand die bij je account is ingelogd, heeft het verzoek om het te verwijderen ingetrokken. Het account blijft bestaan. Wil je het nog steeds laten verwijderen, vraag dat dan opnieuw aan op de pagina van je account.',
  accountDeletionAskedSubject: 'Een gebruiker vraagt om verwijdering van het account',
  accountDeletionAskedText: 'Een gebruiker wil weg, en bij deze dienst beslissen beheerders daarover.',
  accountDeletionAskedAct:
    'De gebruiker kan het account niet alleen verwijderen. Verwijder het in het beheer, of vraag het de gebruiker als iets niet duidelijk is.',
  accountDeletionAskedButton: 'Gebruiker openen',
  administratorNoticeGroup: 'Groep',
  administratorNoticeAct:
    'Had je dit niet verwacht? Bekijk dan het auditlogboek en beëindig de sessies van degene die dit heeft gedaan.',
  administratorNoticeButton: 'Auditlogboek openen',
  administratorNoticeReason: 'Beheerders kunnen deze e-mails niet uitzetten, omdat ze de dienst beschermen.',
  organizationOwnerAddedSubject: 'Een organisatie heeft een nieuwe eigenaar',
  organizationOwnerAddedText: 'Een organisatie heeft een nieuwe eigenaar. Eigenaren kunnen er alles doen.',
  organizationTokenCreatedSubject: 'Er is een API-token van een organisatie gemaakt',
  organizationTokenCreatedText:
    'Een organisatie heeft een nieuw API-token. Programma’s handelen ermee voor de organisatie, ook nadat de maker is vertrokken.',
  organizationSignInAddedSubject: 'Er is een bedrijfsaanmelding aan een organisatie toegevoegd',
  organizationSignInAddedText:
    'Een organisatie heeft een nieuwe verbinding met een identiteitsprovider. Zodra die werkt, kunnen mensen er lid door worden.',
  organizationDomainProvenSubject: 'Een domein van een organisatie is bewezen',
  organizationDomainProvenText:
    'Een organisatie heeft een nieuw bewezen domein. Mensen met adressen van dit domein kunnen zich aanmelden met de bedrijfsaanmelding.',
  organizationRolesReportedSubject: 'Iemand heeft de diefstal van een account gemeld',
  organizationRolesReportedText:
    'Iemand in een organisatie heeft gemeld dat wijzigingen van het account niet van die persoon waren. De API-tokens en open uitnodigingen sindsdien zijn beëindigd. Het account heeft sindsdien deze leden hun rollen gegeven. De rollen blijven totdat u ze wijzigt.',
  directoryOwnerKeptSubject: 'De laatste eigenaar van een organisatie verliet de directory',
  directoryOwnerKeptText:
    'De directory van een organisatie heeft de laatste eigenaar beëindigd. De sessies en de inlogmethode daar zijn beëindigd. Het lidmaatschap blijft tot iemand anders eigenaar is: maak een ander lid eigenaar, dan beëindigt de directory het met het volgende verzoek.',
  directoryPeopleLeftSubject: 'Veel personen verlieten de directory van een verbinding',
  directoryPeopleLeftText:
    'Binnen tien minuten heeft de directory van een verbinding meer dan 50 personen en meer dan een vijfde van iedereen beëindigd. Hun toegang is beëindigd. Was dit een vergissing, stop dan de directory op de pagina van de verbinding en haal de personen daar terug.',
  signInHookFailedSubject: 'Niemand kan zich aanmelden, omdat een functie van een product niet werkt',
  signInHookFailedText:
    'De service vraagt bij elke aanmelding een functie van een product, en die geeft geen bruikbaar antwoord. Alleen beheerders kunnen zich aanmelden, met een passkey of een tweede factor. Het account hieronder heeft dat gedaan. Herstel de functie, of zet de hook uit in de instellingen van de service.',
  directoryPeopleLeftButton: 'Verbinding bekijken',
  ownerNoticeOrganization: 'Organisatie',
  ownerNoticeConcerns: 'Betreft',
  ownerNoticeRoles: 'Gegeven rollen',
  ownerNoticeAct: 'Als u dit niet verwachtte, bekijk het dan en beëindig het.',
  ownerNoticeButton: 'Organisatie bekijken',
  signInEndedSubject: 'Je moet opnieuw instellen hoe je inlogt',
  signInEndedText:
    'Je account heeft nieuwe rechten gekregen. Iemand zonder die rechten, of het inloggen van je bedrijf, had eerder bepaald hoe je inlogt. Dat werkt daarom niet meer. Je krijgt een link om een nieuw wachtwoord te kiezen, of je beheerder helpt je. Daarna kun je je bedrijfsaccount opnieuw koppelen op je accountpagina.',
  newDeviceSubject: 'Nieuw apparaat ingelogd bij je account',
  newDeviceText: 'Er is bij je account ingelogd met een apparaat dat niet eerder is gebruikt.',
}
