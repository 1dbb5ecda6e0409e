import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const he: Translation<typeof en> = {
  buttonHint: 'אם הכפתור אינו פועל, יש להעתיק את הכתובת הזו לדפדפן:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'כניסה',
  supportLink: 'עזרה',
  privacyLink: 'פרטיות',
  termsLink: 'תנאי שימוש',

  resetSubject: 'בחירת סיסמה חדשה ב־{product}',
  resetRequested: 'התבקשה סיסמה חדשה לחשבון {username} ב־{host}.',
  resetInstruction: 'כדי לבחור סיסמה חדשה, יש לפתוח את הקישור הזה:',
  resetButton: 'בחירת סיסמה חדשה',
  resetExpiry:
    'הקישור תקף לפעם אחת ותוקפו יפוג בעוד {minutes, plural, one {דקה אחת} two {שתי דקות} other {# דקות}}.',
  resetIgnore: 'אם הבקשה לא נשלחה על ידך, אפשר להתעלם מההודעה הזו. הסיסמה שלך נשארת כפי שהיא.',
  resetLockedSubject: 'כניסה מחדש אל {product}',
  resetLocked:
    'מישהו הזין את הסיסמה הנכונה לחשבון {username} ב־{host}. הכניסה נדחתה כי קדמו לה יותר מדי ניסיונות כושלים. כדי להיכנס, יש לבחור תחילה סיסמה חדשה.',
  resetBreached:
    'מישהו הזין את הסיסמה הנכונה לחשבון {username} ב־{host}. הסיסמה הזו הופיעה בדליפת מידע משירות אחר, ולכן אחרים עשויים לדעת אותה. כדי להיכנס, יש לבחור תחילה סיסמה חדשה.',
  resetLockedWarning: 'אם הניסיון לא נעשה על ידך, מישהו יודע את הסיסמה שלך. יש לבחור סיסמה חדשה עכשיו.',

  quoted: '„{text}”',
  confirmationSubject: 'אישור כתובת הדוא״ל ב־{product}',
  confirmationEntered: 'הכתובת הזו הוזנה עבור החשבון {username} ב־{host}.',
  confirmationInstruction: 'אם זה החשבון שלך, יש לאשר את הכתובת:',
  confirmationButton: 'אישור הכתובת הזו',
  confirmationExpiry:
    'הקישור תקף לפעם אחת ותוקפו יפוג בעוד {days, plural, one {יום אחד} two {יומיים} other {# ימים}}.',
  confirmationIgnore:
    'אם זה לא החשבון שלך, יש לפתוח את הקישור ולבחור „זה לא החשבון שלי”. הכתובת תוסר אז מהחשבון.',

  invitationSubject: 'הזמנה אל {product}',
  invitationBy: 'הוזמנת אל {product} על ידי {inviter}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'הוזמנת אל {product}.',
  invitationAccount: 'החשבון שלך {username} ב־{host} מוכן. יש לבחור איך להיכנס:',
  invitationButton: 'קבלת ההזמנה',
  invitationExpiry:
    'הקישור תקף לפעם אחת ותוקפו יפוג בעוד {days, plural, one {יום אחד} two {יומיים} other {# ימים}}. לאחר מכן יש לבקש הזמנה חדשה.',
  invitationIgnore: 'אם ההזמנה אינה צפויה, אפשר להתעלם מההודעה הזו. אין להעביר את הקישור לאחרים.',

  codeSubject: 'קוד הכניסה שלך אל {product}',
  codeInstruction: 'יש להשתמש בקוד הזה כדי להיכנס לחשבון {username} ב־{host}:',
  codePlace: 'יש להזין אותו בדף שבו התבקש. הוא אינו פועל בשום מקום אחר.',
  codeExpiry:
    'הקוד תקף לפעם אחת ותוקפו יפוג בעוד {minutes, plural, one {דקה אחת} two {שתי דקות} other {# דקות}}.',
  codeOrigin: 'הוא התבקש מהכתובת {address}.',
  codeIgnore: 'אם הבקשה לא נשלחה על ידך, יש להתעלם מההודעה הזו ולא להעביר את הקוד לאחרים.',
  joinCodeSubject: 'הקוד שלך להצטרפות אל {organization} ב־{product}',
  joinCodeInstruction:
    'יש להשתמש בקוד הזה כדי להצטרף אל הארגון {organization} ב־{host} עם החשבון {username}:',

  linkSubject: '{name} (דרך {product}): {subject}',
  linkHeading: 'שיתוף חדש מאת {name}',
  linkHeadingObject: 'השיתוף {object} מאת {name}',
  linkHeadingCount: 'שיתוף של {count, plural, one {פריט אחד} two {שני פריטים} other {# פריטים}} מאת {name}',
  linkBehalf: 'נשלח בשם {account}, שיש לו חשבון ב־{host}.',
  linkQuote: 'הודעה מאת {name}:',
  linkButton: 'פתיחת הקישור',
  linkPassword: 'הוא מוגן בסיסמה שאינה בהודעה הזו. יש לבקש אותה מ־{name}.',
  linkSignIn: 'כדי לפתוח אותו יש להיכנס.',
  linkSharing: 'כל מי שיש לו הקישור הזה יכול לפתוח אותו. אין לשתף אותו.',
  linkSharingWithPassword: 'כל מי שיש לו הקישור הזה והסיסמה שלו יכול לפתוח אותו. אין לשתף אותם.',
  linkViews: 'אפשר לפתוח אותו {count, plural, one {פעם אחת} two {פעמיים} other {# פעמים}}.',
  linkExpiry: 'הוא תקף עד {time}.',
  linkIgnore: 'אם {name} אינו מוכר לך או שההודעה אינה צפויה, אפשר להתעלם ממנה.',

  certificateExpiresSubject:
    'תוקפה של תעודת SAML יפוג בעוד {days, plural, one {יום אחד} two {יומיים} other {# ימים}}',
  certificateExpiredSubject: 'פג תוקפה של תעודת SAML',
  certificateExpires:
    'תוקפה של תעודה של ספק ה־SAML {provider} (מזהה {id}) ב־{host} יפוג ב־{time}. אם התעודה לא תוחלף, הכניסה דרך הספק הזה עלולה להפסיק לפעול.',
  certificateExpired:
    'תוקפה של תעודה של ספק ה־SAML {provider} (מזהה {id}) ב־{host} פג ב־{time}. אם התעודה לא תוחלף, הכניסה דרך הספק הזה עלולה להפסיק לפעול.',
  certificateOfProvider:
    'התעודה שייכת לספק הזהויות. כשיש לספק תעודה חדשה, יש לפתוח את הספק באזור הניהול ולרענן את המטא־נתונים שלו. אם למטא־נתונים יש כתובת, זה קורה אוטומטית בכל יום.',
  certificateOfService:
    'התעודה שייכת לשירות הזה. יש לפתוח את הספק באזור הניהול ולפרסם מפתח חדש. אחרי שספק הזהויות קורא שוב את המטא־נתונים, יש לעבור שם למפתח החדש.',
  certificateButton: 'פתיחת הספק',
  certificateReason: 'מנהלי המערכת מקבלים את ההודעה הזו 60, 30 ו־7 ימים לפני פקיעת תוקפה של תעודה.',

  setupMetadataSubject: 'נשלחו מטא־נתונים עבור {provider}',
  setupLiveSubject: '{provider} פעיל',
  setupMetadata:
    'מי שיש לו קישור ההגדרה שיצרת שלח מטא־נתונים של ספק זהויות עבור {provider} (מזהה {id}) ב־{host}.',
  setupLive: 'החיבור {provider} (מזהה {id}) ב־{host} פעיל. הכניסה מתבצעת עכשיו דרך ספק הזהויות הזה.',
  setupEntityId: 'מזהה הישות',
  setupSource: 'מטא־נתונים',
  setupPasted: 'הודבקו',
  setupFingerprint: 'SHA-256',
  setupDomain: 'דומיין',
  setupCompare:
    'בעליה של כל תעודה יכולים להיכנס בתור האנשים של החברה. יש להשוות את התעודות עם הלקוח, ולא בדואר אלקטרוני. אם אחת מהן שגויה, יש למחוק את החיבור.',
  setupProposal: 'המטא־נתונים בכתובת הזו לא ייקראו שוב עד לבחירת הכתובת באזור הניהול.',
  setupReason: 'ההודעה נשלחה אליך כי קישור ההגדרה נוצר על ידך.',

  noticeAccount: 'חשבון',
  noticeAccountValue: '{username} ב־{host}',
  noticeTime: 'זמן',
  noticeFrom: 'מקור',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'בוצע על ידי',
  noticeByAdministrator: 'הנהלת המערכת',
  noticeQuestion: 'אם הפעולה בוצעה על ידך, אפשר להתעלם מההודעה הזו. אם לא, יש לפתוח את הקישור הזה:',
  noticeButton: 'זה לא אני',
  noticePage: 'הדף מסביר מה יקרה לפני שמשהו משתנה.',
  noticeExpiry: 'תוקף הקישור יפוג בעוד {days, plural, one {יום אחד} two {יומיים} other {# ימים}}.',
  noticeAskAdministrator: 'אם זה לא היה צפוי, יש לפנות להנהלת המערכת.',
  noticeReason: 'אי אפשר לכבות את ההודעות האלה, כי הן מגינות על החשבון שלך.',
  deviceWithBrowser: '{browser} ב־{system}',
  deviceWithoutBrowser: 'תוכנה לא מוכרת ב־{system}',
  deviceUnknown: 'תוכנה לא מוכרת',

  passwordChangedSubject: 'הסיסמה שלך הוחלפה',
  passwordChangedText: 'הסיסמה של החשבון שלך הוחלפה. כל החיבורים האחרים הסתיימו.',
  passwordResetSubject: 'הסיסמה שלך אופסה',
  passwordResetText: 'סיסמה חדשה נקבעה באמצעות קישור לאיפוס. כל החיבורים הסתיימו.',
  passwordSetSubject: 'הנהלת המערכת קבעה לך סיסמה חדשה',
  passwordSetText: 'הנהלת המערכת קבעה סיסמה חדשה לחשבון שלך. כל החיבורים הסתיימו.',
  emailChangedSubject: 'כתובת הדוא״ל שלך הוחלפה',
  emailChangedText: 'לחשבון שלך יש עכשיו כתובת דוא״ל אחרת. הודעות של החשבון כבר אינן מגיעות לכתובת הזו.',
  emailMovedSubject: 'כתובת הדוא״ל שלך עברה לחשבון אחר',
  emailMovedText:
    'החברה שלך הכניסה אדם עם הכתובת הזו. הכתובת שייכת עכשיו לחשבון ההוא, והחשבון שלמטה כבר לא כולל אותה. כל השאר בחשבון נשאר, והכניסה אליו כמו קודם. אם שני החשבונות שלך, יש לבקש מהנהלת המערכת לאחד אותם.',
  secondFactorEnabledSubject: 'גורם האימות השני הופעל',
  secondFactorEnabledText: 'מעכשיו הכניסה דורשת גם קוד מאפליקציית אימות.',
  secondFactorDisabledSubject: 'גורם האימות השני כובה',
  secondFactorDisabledText: 'הכניסה כבר אינה דורשת קוד מאפליקציית אימות.',
  recoveryCodeUsedSubject: 'נעשה שימוש בקוד שחזור',
  recoveryCodeUsedText: 'קוד שחזור החליף את הקוד מאפליקציית האימות. הוא כבר אינו פועל.',
  recoveryCodesRenewedSubject: 'קודי השחזור שלך הוחלפו',
  recoveryCodesRenewedText: 'לחשבון שלך יש קודי שחזור חדשים. הקודים הקודמים כבר אינם פועלים.',
  deviceRememberedSubject: 'דפדפן נשמר כמוכר',
  deviceRememberedText: 'בדפדפן שבו נעשה שימוש בגורם השני, כניסות עם הסיסמה שלך לא יבקשו אותו לזמן מוגבל.',
  rememberedDeviceReusedSubject: 'דפדפן מוכר הוסר',
  rememberedDeviceReusedText:
    'מישהו שידע את הסיסמה שלך השתמש בעותק ישן של הנתונים של דפדפן מוכר. הדפדפן כבר אינו מוכר. אם הסיבה אינה ידועה לך, יש לשנות את הסיסמה.',
  passkeyAddedSubject: 'נוסף מפתח גישה',
  passkeyAddedText: 'מפתח גישה נוסף לחשבון שלך. מעכשיו אפשר להיכנס איתו.',
  passkeyRemovedSubject: 'הוסר מפתח גישה',
  passkeyRemovedText: 'מפתח גישה של החשבון שלך הוסר. הוא כבר אינו מאפשר כניסה, והחיבורים האחרים הסתיימו.',
  passkeyClonedSubject: 'מפתח גישה נדחה',
  passkeyClonedText:
    'מפתח גישה של החשבון שלך נדחה, כי ייתכן שקיים עותק שלו. אם הסיבה אינה ידועה לך, יש להסיר את מפתח הגישה הזה.',
  passkeyRequiredSubject: 'מעכשיו הסיסמה שלך דורשת מפתח גישה',
  passkeyRequiredText: 'מעכשיו כניסה עם הסיסמה דורשת גם מפתח גישה.',
  passkeyOptionalSubject: 'הסיסמה שלך כבר אינה דורשת מפתח גישה',
  passkeyOptionalText: 'כניסה עם הסיסמה כבר אינה דורשת מפתח גישה.',
  apiTokenCreatedSubject: 'נוצר אסימון API',
  apiTokenCreatedText: 'אסימון API חדש נוצר לחשבון שלך. תוכנות יכולות להשתמש בו כדי לפעול בהרשאות שלך.',
  apiTokenRevokedSubject: 'הנהלת המערכת מחקה אסימון API שלך',
  apiTokenRevokedText:
    'הנהלת המערכת מחקה אסימון API של החשבון שלך. הוא כבר אינו פועל. אם תוכנה השתמשה בו, יש לשאול את הנהלת המערכת מה הסיבה לפני יצירת אסימון חדש.',
  companyAccountLinkedSubject: 'חשבון נוסף קושר לחשבון שלך',
  companyAccountLinkedText: 'חשבון אצל ספק זהויות קושר לחשבון שלך. מעכשיו אפשר להיכנס איתו.',
  companyAccountUnlinkedSubject: 'חשבון מקושר הוסר מהחשבון שלך',
  companyAccountUnlinkedText:
    'הקישור לחשבון אצל ספק זהויות הוסר מהחשבון שלך. הוא כבר אינו מאפשר כניסה, והחיבורים האחרים הסתיימו.',
  signInByCompanySubject: 'הכניסה שלך היא עכשיו דרך החברה',
  signInByCompanyText:
    'החשבון שלך חובר לכניסה של החברה, כי יש בו את כתובת הדוא״ל שלך בחברה. כל דרכי הכניסה האחרות הסתיימו: סיסמה, אפליקציית אימות, מפתחות גישה, אסימוני API וחשבונות מחוברים אחרים. יש להיכנס דרך החברה כדי להוסיף שוב את מה שדרוש לך.',
  credentialLeakedSubject: 'דלפו פרטי גישה שלך',
  credentialLeakedText:
    'חיבור, אסימון API או קישור של החשבון שלך נמצא במקום שאחרים יכלו לקרוא. הוא בוטל וכבר אינו פועל. אם תוכנה השתמשה בו, יש ליצור חדש, ולהסיר את הישן מהמקום שבו פורסם.',
  signInLockedSubject: 'יותר מדי ניסיונות כניסה כושלים לחשבון שלך',
  signInLockedText:
    'היו 100 ניסיונות כניסה כושלים ברצף לחשבון שלך. אפשר להיכנס מדפדפנים ומרשתות שכבר היו בשימושך. כדי להיכנס ממקום אחר, יש לאפס את הסיסמה.',
  emailRestoredSubject: 'כתובת הדוא״ל שלך הוסרה מחשבון',
  emailRestoredText:
    'לחשבון יש שוב כתובת הדוא״ל הקודמת. מישהו עם גישה לכתובת ההיא דיווח שלא החליף אותה. אם הדיווח שגוי, יש לפנות להנהלת המערכת.',
  administratorAddedSubject: 'נוסף מנהל מערכת חדש',
  administratorAddedText: 'חשבון קיבל הרשאות ניהול. מי שמשתמש בו יכול עכשיו לעשות כאן הכול.',
  administratorGroupChangedSubject: 'קבוצה של מנהלי מערכת השתנתה',
  administratorGroupChangedText:
    'קבוצה קיבלה הרשאות ניהול, או שלקבוצה עם הרשאות כאלה נוספו חברים. החברים יכולים עכשיו לעשות כאן הכול.',
  administratorSignInSetSubject: 'הכניסה של מנהל מערכת השתנתה',
  administratorSignInSetText: 'מישהו אחר שינה את הסיסמה, את כתובת הדוא״ל או דרך כניסה אחרת של מנהל מערכת.',
  accountDeletionRequestedSubject: 'התבקשה מחיקה של החשבון שלך',
  accountDeletionRequestedText:
    'מי שמחובר לחשבון שלך ביקש למחוק אותו. עד אז אפשר לבטל את הבקשה בדף החשבון שלך.',
  accountDeletionWithdrawnSubject: 'הבקשה למחיקת החשבון שלך בוטלה',
  accountDeletionWithdrawnText:
    'מישהו שמחובר לחשבון שלך ביטל את הבקשה למחוק אותו. החשבון נשאר. אם ברצונך עדיין למחוק אותו, יש לבקש זאת שוב בדף החשבון שלך.',
  accountDeletionAskedSubject: 'משתמש מבקש למחוק את החשבון שלו',
  accountDeletionAskedText: 'משתמש רוצה לעזוב, ובשירות הזה ההחלטה היא של מנהלי המערכת.',
  accountDeletionAskedAct:
    'המשתמש אינו יכול למחוק את החשבון לבדו. יש למחוק אותו בדף הניהול, או לשאול את המשתמש אם משהו אינו ברור.',
  accountDeletionAskedButton: 'פתיחת המשתמש',
  administratorNoticeGroup: 'קבוצה',
  administratorNoticeAct:
    'אם זה לא היה צפוי, יש לעיין ביומן הביקורת ולסיים את החיבורים של מי שביצע את השינוי.',
  administratorNoticeButton: 'פתיחת יומן הביקורת',
  administratorNoticeReason: 'מנהלי המערכת אינם יכולים לכבות את ההודעות האלה, כי הן מגינות על השירות.',
  organizationOwnerAddedSubject: 'נוסף בעלים חדש לארגון',
  organizationOwnerAddedText: 'לארגון יש בעלים חדש. בעלים יכולים לעשות בו הכול.',
  organizationTokenCreatedSubject: 'נוצר אסימון API של ארגון',
  organizationTokenCreatedText:
    'לארגון יש אסימון API חדש. תוכניות פועלות באמצעותו בשם הארגון, גם אחרי שמי שיצר אותו עזב.',
  organizationSignInAddedSubject: 'נוספה לארגון כניסה ארגונית',
  organizationSignInAddedText:
    'לארגון יש חיבור חדש לספק זהויות. ברגע שהוא יפעל, אנשים יוכלו להפוך לחברים דרכו.',
  organizationDomainProvenSubject: 'הוכח דומיין של ארגון',
  organizationDomainProvenText:
    'לארגון יש דומיין חדש שהוכח. אנשים עם כתובות בדומיין הזה יכולים להתחבר בכניסה הארגונית.',
  organizationRolesReportedSubject: 'דווח על גניבת חשבון',
  organizationRolesReportedText:
    'מישהו בארגון דיווח ששינויים בחשבון שלו לא נעשו על ידו. אסימוני ה-API וההזמנות הפתוחות שלו מאז הסתיימו. מאז נתן החשבון הזה לחברים הבאים את התפקידים שלהם. התפקידים נשארים עד שתשנו אותם.',
  directoryOwnerKeptSubject: 'הבעלים האחרון של ארגון יצא מהספרייה שלו',
  directoryOwnerKeptText:
    'הספרייה של ארגון סיימה את הגישה של הבעלים האחרון שלו. ההפעלות והכניסה שלו שם הסתיימו. החברות נשארת עד שמישהו אחר יהיה בעלים: מנו חבר אחר לבעלים, והספרייה תסיים את החברות בבקשה הבאה שלה.',
  directoryPeopleLeftSubject: 'אנשים רבים יצאו מהספרייה של חיבור',
  directoryPeopleLeftText:
    'בתוך עשר דקות סיימה הספרייה של חיבור את הגישה של יותר מ־50 אנשים ויותר מחמישית מכולם. כל מה שהיה להם הסתיים. אם זו טעות, עצרו את הספרייה בדף של החיבור והחזירו שם את האנשים.',
  signInHookFailedSubject: 'אף אחד לא יכול להיכנס, כי פונקציה של מוצר נכשלת',
  signInHookFailedText:
    'השירות שואל פונקציה של מוצר בכל כניסה, והיא לא נותנת תשובה שימושית. רק מנהלים יכולים להיכנס, עם מפתח גישה או גורם שני. החשבון שלמטה עשה זאת. תקנו את הפונקציה, או כבו את ה‑Hook בהגדרות השירות.',
  directoryPeopleLeftButton: 'הצגת החיבור',
  ownerNoticeOrganization: 'ארגון',
  ownerNoticeConcerns: 'נוגע ל',
  ownerNoticeRoles: 'תפקידים שניתנו',
  ownerNoticeAct: 'אם לא ציפיתם לזה, בדקו זאת וסיימו את זה.',
  ownerNoticeButton: 'הצגת הארגון',
  signInEndedSubject: 'יש להגדיר מחדש את הכניסה שלך',
  signInEndedText:
    'החשבון שלך קיבל הרשאות חדשות. לפני כן, מישהו שאין לו ההרשאות האלה, או הכניסה של החברה שלך, קבעו את אופן הכניסה שלך. לכן מה שנקבע כבר אינו פועל. יישלח אליך קישור לבחירת סיסמה חדשה, או שהנהלת המערכת תעזור לך. לאחר מכן אפשר לחבר שוב את חשבון החברה בעמוד החשבון שלך.',
  newDeviceSubject: 'כניסה חדשה לחשבון שלך',
  newDeviceText: 'בוצעה כניסה לחשבון שלך ממכשיר שלא היה בשימוש קודם לכן.',
  organizationInvitationSubject: 'הזמנה אל {organization} ב־{product}',
  organizationInvitationBy: 'הוזמנת אל הארגון {organization} ב־{host} על ידי {inviter}.',
  organizationInvitationButton: 'להצגת ההזמנה',
  organizationEndingSubject: 'הארגון {organization} ב־{product} יימחק',
  organizationEndingHeading: 'הארגון שלך יימחק',
  organizationEndingText:
    'התקבלה בקשה מאחד הבעלים למחוק את הארגון {organization} ב־{host}. החברויות, אסימוני ה־API והכניסה הארגונית יסתיימו איתו. החשבונות של החברים יישארו.',
  organizationEndingDay: 'מחיקה',
  organizationEndingKeep: 'עד אז, כל אחד מהבעלים יכול להשאיר את הארגון.',
  organizationEndingButton: 'להצגת ההגדרות',
  organizationEndingReason: 'ההודעה נשלחה אליך כי יש לך תפקיד של בעלים בארגון.',

  signUpSubject: 'יצירת החשבון שלך ב-{product}',
  signUpEntered: 'הכתובת הזאת הוזנה כדי ליצור חשבון ב-{host}. כדי להמשיך, יש לפתוח את הקישור:',
  signUpButton: 'יצירת חשבון',
  signUpExpiry: 'הקישור פועל פעם אחת ופג בעוד {hours, plural, one {שעה} two {שעתיים} other {# שעות}}.',
  signUpIgnore: 'אם זה לא היה ביוזמתך, אפשר להתעלם מההודעה. בלי הקישור לא נוצר חשבון.',
  signUpKnownSubject: 'כבר יש לך חשבון ב-{product}',
  signUpKnown: 'הכתובת הזאת הוזנה כדי ליצור חשבון ב-{host}. כבר יש לך חשבון עם הכתובת הזאת.',
  signUpKnownInstruction: 'אפשר להיכנס עם הכתובת הזאת. אם שכחת את הסיסמה, אפשר לבחור שם חדשה:',
  signUpKnownIgnore: 'אם זה לא היה ביוזמתך, אפשר להתעלם מההודעה. דבר לא השתנה.',
  signUpWaitingSubject: 'מישהו ממתין לחשבון ב-{product}',
  signUpWaiting: 'התקבלה מ-{person} בקשה לחשבון ב-{host}, והכתובת הזאת אושרה.',
  signUpWaitingButton: 'החלטה על הבקשה',
  signUpWaitingReason: 'ההודעה נשלחה אליך כי מדיניות ההרשמה מציינת אותך.',
}
