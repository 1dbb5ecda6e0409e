import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const ar: Translation<typeof en> = {
  buttonHint: 'إذا لم يعمل الزر، فيُرجى نسخ هذا العنوان إلى المتصفح:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'تسجيل الدخول',
  supportLink: 'المساعدة',
  privacyLink: 'الخصوصية',
  termsLink: 'شروط الاستخدام',

  resetSubject: 'اختيار كلمة مرور جديدة في {product}',
  resetRequested: 'طُلبت كلمة مرور جديدة للحساب {username} على {host}.',
  resetInstruction: 'لاختيار كلمة مرور جديدة، يُرجى فتح هذا الرابط:',
  resetButton: 'اختيار كلمة مرور جديدة',
  resetExpiry:
    'يعمل الرابط مرة واحدة وتنتهي صلاحيته خلال {minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}.',
  resetIgnore: 'إذا لم يكن هذا الطلب منك، فيمكنك تجاهل هذه الرسالة. تبقى كلمة مرورك كما هي.',
  resetLockedSubject: 'تسجيل الدخول إلى {product} من جديد',
  resetLocked:
    'أُدخلت كلمة المرور الصحيحة للحساب {username} على {host}، لكن تسجيل الدخول رُفض بسبب كثرة المحاولات الفاشلة قبل ذلك. لتسجيل الدخول، يُرجى أولًا اختيار كلمة مرور جديدة.',
  resetBreached:
    'أُدخلت كلمة المرور الصحيحة للحساب {username} على {host}. ظهرت كلمة المرور هذه في تسريب بيانات من خدمة أخرى، لذلك قد يعرفها آخرون. لتسجيل الدخول، يُرجى أولًا اختيار كلمة مرور جديدة.',
  resetLockedWarning: 'إذا لم يكن ذلك منك، فهناك من يعرف كلمة مرورك. يُرجى اختيار كلمة جديدة الآن.',

  quoted: '«{text}»',
  confirmationSubject: 'تأكيد بريدك الإلكتروني في {product}',
  confirmationEntered: 'أُدخل هذا العنوان للحساب {username} على {host}.',
  confirmationInstruction: 'إذا كان هذا حسابك، فيُرجى تأكيد العنوان:',
  confirmationButton: 'تأكيد هذا العنوان',
  confirmationExpiry:
    'يعمل الرابط مرة واحدة وتنتهي صلاحيته خلال {days, plural, zero {# يوم} one {يوم واحد} two {يومين} few {# أيام} many {# يومًا} other {# يوم}}.',
  confirmationIgnore:
    'إذا لم يكن هذا حسابك، فيُرجى فتح الرابط واختيار «هذا ليس حسابي». عندها يُزال العنوان من الحساب.',

  invitationSubject: 'دعوة إلى {product}',
  invitationBy: 'دعوة من {inviter} إلى {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'وصلتك دعوة إلى {product}.',
  invitationAccount: 'حسابك {username} على {host} جاهز. يُرجى اختيار طريقة تسجيل الدخول:',
  invitationButton: 'قبول الدعوة',
  invitationExpiry:
    'يعمل الرابط مرة واحدة وتنتهي صلاحيته خلال {days, plural, zero {# يوم} one {يوم واحد} two {يومين} few {# أيام} many {# يومًا} other {# يوم}}. بعد ذلك يُرجى طلب دعوة جديدة.',
  invitationIgnore: 'إذا لم تكن هذه الدعوة متوقعة، فيمكنك تجاهل هذه الرسالة. يُرجى عدم إعطاء الرابط لأحد.',

  codeSubject: 'رمز تسجيل الدخول إلى {product}',
  codeInstruction: 'يُرجى استخدام هذا الرمز لتسجيل الدخول إلى الحساب {username} على {host}:',
  codePlace: 'يُدخل الرمز في الصفحة التي طُلب منها، ولا يعمل في أي مكان آخر.',
  codeExpiry:
    'يعمل الرمز مرة واحدة وتنتهي صلاحيته خلال {minutes, plural, zero {# دقيقة} one {دقيقة واحدة} two {دقيقتين} few {# دقائق} many {# دقيقة} other {# دقيقة}}.',
  codeOrigin: 'طُلب الرمز من العنوان {address}.',
  codeIgnore: 'إذا لم يكن ذلك منك، فيُرجى تجاهل هذه الرسالة وعدم إعطاء الرمز لأحد.',
  joinCodeSubject: 'رمز الانضمام إلى {organization} في {product}',
  joinCodeInstruction:
    'يُرجى استخدام هذا الرمز للانضمام إلى المؤسسة {organization} على {host} بالحساب {username}:',

  linkSubject: '{name} (عبر {product}): {subject}',
  linkHeading: 'مشاركة جديدة معك من {name}',
  linkHeadingObject: 'مشاركة {object} معك من {name}',
  linkHeadingCount:
    'مشاركة {count, plural, zero {# عنصر} one {عنصر واحد} two {عنصرين} few {# عناصر} many {# عنصرًا} other {# عنصر}} معك من {name}',
  linkBehalf: 'أُرسلت نيابةً عن {account}، صاحب حساب على {host}.',
  linkQuote: 'رسالة من {name}:',
  linkButton: 'فتح الرابط',
  linkPassword: 'الرابط محمي بكلمة مرور غير موجودة في هذه الرسالة. يُرجى طلبها من {name}.',
  linkSignIn: 'يجب تسجيل الدخول لفتحه.',
  linkSharing: 'يمكن لكل من لديه هذا الرابط أن يفتحه. يُرجى عدم مشاركته.',
  linkSharingWithPassword: 'يمكن لكل من لديه هذا الرابط وكلمة مروره أن يفتحه. يُرجى عدم مشاركتهما.',
  linkViews:
    'يمكن فتحه {count, plural, zero {# مرة} one {مرة واحدة} two {مرتين} few {# مرات} many {# مرة} other {# مرة}}.',
  linkExpiry: 'يعمل حتى {time}.',
  linkIgnore: 'إذا كان {name} غير معروف لديك أو لم تكن هذه الرسالة متوقعة، فيمكنك تجاهلها.',

  certificateExpiresSubject:
    'تنتهي صلاحية شهادة SAML خلال {days, plural, zero {# يوم} one {يوم واحد} two {يومين} few {# أيام} many {# يومًا} other {# يوم}}',
  certificateExpiredSubject: 'انتهت صلاحية شهادة SAML',
  certificateExpires:
    'تنتهي صلاحية شهادة موفّر SAML {provider} (المعرّف {id}) على {host} في {time}. قد يتوقف تسجيل الدخول عبر هذا الموفّر إذا لم تُستبدل الشهادة.',
  certificateExpired:
    'انتهت صلاحية شهادة موفّر SAML {provider} (المعرّف {id}) على {host} في {time}. قد يتوقف تسجيل الدخول عبر هذا الموفّر إذا لم تُستبدل الشهادة.',
  certificateOfProvider:
    'تعود الشهادة إلى موفّر الهوية. عندما تكون لديه شهادة جديدة، يُرجى فتح الموفّر في الإدارة وتحديث بياناته الوصفية. وإذا كان للبيانات الوصفية عنوان، فيحدث ذلك تلقائيًا كل يوم.',
  certificateOfService:
    'تعود الشهادة إلى هذه الخدمة. يُرجى فتح الموفّر في الإدارة ونشر مفتاح جديد. وبعد أن يقرأ موفّر الهوية البيانات الوصفية مرة أخرى، يُرجى الانتقال إلى المفتاح الجديد هناك.',
  certificateButton: 'فتح الموفّر',
  certificateReason: 'تصل هذه الرسالة إلى المسؤولين قبل انتهاء صلاحية الشهادة بمدة 60 و30 و7 أيام.',

  setupMetadataSubject: 'أُرسلت بيانات وصفية إلى {provider}',
  setupLiveSubject: 'أصبح {provider} قيد العمل',
  setupMetadata:
    'أرسل شخص لديه رابط الإعداد الخاص بك البيانات الوصفية لموفّر هوية إلى {provider} (المعرّف {id}) في {host}.',
  setupLive:
    'أصبح الاتصال {provider} (المعرّف {id}) في {host} قيد العمل. يجري تسجيل الدخول الآن عبر موفّر الهوية هذا.',
  setupEntityId: 'معرّف الكيان',
  setupSource: 'البيانات الوصفية',
  setupPasted: 'ملصقة',
  setupFingerprint: 'SHA-256',
  setupDomain: 'النطاق',
  setupCompare:
    'يستطيع صاحب كل شهادة تسجيل الدخول باسم موظفي الشركة. يُرجى مطابقة الشهادات مع العميل، وليس عبر البريد. وإذا كانت إحداها خاطئة، فيُرجى حذف الاتصال.',
  setupProposal: 'لا تُقرأ البيانات الوصفية في هذا العنوان مرة أخرى قبل اختيار العنوان في الإدارة.',
  setupReason: 'وصلت هذه الرسالة إليك لأنك أنشأت رابط الإعداد.',

  noticeAccount: 'الحساب',
  noticeAccountValue: '{username} على {host}',
  noticeTime: 'الوقت',
  noticeFrom: 'من',
  noticeFromValue: '{address}، {device}',
  noticeBy: 'بواسطة',
  noticeByAdministrator: 'الإدارة',
  noticeQuestion: 'إذا كان ذلك منك، فيمكنك تجاهل هذه الرسالة. وإن لم يكن منك، فيُرجى فتح هذا الرابط:',
  noticeButton: 'لم أكن أنا',
  noticePage: 'تشرح الصفحة ما سيحدث قبل أن يتغير أي شيء.',
  noticeExpiry:
    'تنتهي صلاحية الرابط خلال {days, plural, zero {# يوم} one {يوم واحد} two {يومين} few {# أيام} many {# يومًا} other {# يوم}}.',
  noticeAskAdministrator: 'إذا لم يكن ذلك متوقعًا، فيُرجى مراجعة الإدارة.',
  noticeReason: 'لا يمكن إيقاف هذه الرسائل، لأنها تحمي حسابك.',
  deviceWithBrowser: '{browser} على {system}',
  deviceWithoutBrowser: 'برنامج غير معروف على {system}',
  deviceUnknown: 'برنامج غير معروف',

  passwordChangedSubject: 'تم تغيير كلمة مرورك',
  passwordChangedText: 'تم تغيير كلمة مرور حسابك. أُنهيت جميع الجلسات الأخرى.',
  passwordResetSubject: 'تمت إعادة تعيين كلمة مرورك',
  passwordResetText: 'عُيّنت كلمة مرور جديدة برابط إعادة التعيين. أُنهيت جميع الجلسات.',
  passwordSetSubject: 'عيّنت الإدارة كلمة مرور جديدة لك',
  passwordSetText: 'عيّنت الإدارة كلمة مرور جديدة لحسابك. أُنهيت جميع الجلسات.',
  emailChangedSubject: 'تم تغيير بريدك الإلكتروني',
  emailChangedText: 'أصبح لحسابك بريد إلكتروني آخر. لم تعد رسائل حسابك تصل إلى هذا العنوان.',
  emailMovedSubject: 'انتقل بريدك الإلكتروني إلى حساب آخر',
  emailMovedText:
    'سجّلت شركتك دخول شخص بهذا العنوان. أصبح العنوان الآن لذلك الحساب، ولم يعد للحساب المذكور أدناه. يبقى كل شيء آخر في الحساب كما هو، ويستمر تسجيل الدخول إليه كما كان. إذا كان الحسابان لك، فيُرجى طلب دمجهما من الإدارة.',
  secondFactorEnabledSubject: 'تم تفعيل العامل الثاني',
  secondFactorEnabledText: 'أصبح تسجيل الدخول يتطلب أيضًا رمزًا من تطبيق مصادقة.',
  secondFactorDisabledSubject: 'تم إيقاف العامل الثاني',
  secondFactorDisabledText: 'لم يعد تسجيل الدخول يتطلب رمزًا من تطبيق مصادقة.',
  recoveryCodeUsedSubject: 'تم استخدام رمز استرداد',
  recoveryCodeUsedText: 'استُخدم رمز استرداد بدلًا من الرمز من تطبيق المصادقة. لن يعمل مرة أخرى.',
  recoveryCodesRenewedSubject: 'تم استبدال رموز الاسترداد',
  recoveryCodesRenewedText: 'لحسابك رموز استرداد جديدة. لم تعد الرموز السابقة تعمل.',
  deviceRememberedSubject: 'تم تذكّر متصفح',
  deviceRememberedText:
    'في المتصفح الذي استُخدم فيه العامل الثاني، لن يُطلب هذا العامل عند تسجيل الدخول بكلمة مرورك لمدة محدودة.',
  rememberedDeviceReusedSubject: 'تم إلغاء تذكّر متصفح',
  rememberedDeviceReusedText:
    'استخدم شخص يعرف كلمة مرورك نسخة قديمة من بيانات متصفح تم تذكّره. لم يعد هذا المتصفح متذكَّرًا. إذا كان السبب غير معروف لديك، فيُرجى تغيير كلمة مرورك.',
  passkeyAddedSubject: 'تمت إضافة مفتاح مرور',
  passkeyAddedText: 'أُضيف مفتاح مرور إلى حسابك. يمكن الآن تسجيل الدخول به.',
  passkeyRemovedSubject: 'تمت إزالة مفتاح مرور',
  passkeyRemovedText: 'أُزيل مفتاح مرور من حسابك. لم يعد يتيح تسجيل الدخول، وأُنهيت الجلسات الأخرى.',
  passkeyClonedSubject: 'تم رفض مفتاح مرور',
  passkeyClonedText:
    'رُفض مفتاح مرور من حسابك، لاحتمال وجود نسخة منه. إذا كان السبب غير معروف لديك، فيُرجى إزالة مفتاح المرور هذا.',
  passkeyRequiredSubject: 'أصبحت كلمة مرورك تتطلب مفتاح مرور',
  passkeyRequiredText: 'أصبح تسجيل الدخول بكلمة مرورك يتطلب مفتاح مرور أيضًا.',
  passkeyOptionalSubject: 'لم تعد كلمة مرورك تتطلب مفتاح مرور',
  passkeyOptionalText: 'لم يعد تسجيل الدخول بكلمة مرورك يتطلب مفتاح مرور.',
  apiTokenCreatedSubject: 'تم إنشاء رمز API',
  apiTokenCreatedText: 'أُنشئ رمز API جديد لحسابك. يمكن للبرامج استخدامه للعمل بصلاحياتك.',
  apiTokenRevokedSubject: 'حذفت الإدارة رمز API من حسابك',
  apiTokenRevokedText:
    'حذفت الإدارة رمز API من حسابك. لم يعد يعمل. إذا كان برنامج يستخدمه، فيُرجى سؤال الإدارة عن السبب قبل إنشاء رمز جديد.',
  companyAccountLinkedSubject: 'تم ربط حساب آخر بحسابك',
  companyAccountLinkedText: 'رُبط حساب لدى موفّر هوية بحسابك. يمكن الآن تسجيل الدخول به.',
  companyAccountUnlinkedSubject: 'تمت إزالة حساب مرتبط من حسابك',
  companyAccountUnlinkedText:
    'أُزيل ربط حساب لدى موفّر هوية بحسابك. لم يعد يتيح تسجيل الدخول، وأُنهيت الجلسات الأخرى.',
  signInByCompanySubject: 'أصبح تسجيل دخولك عن طريق شركتك',
  signInByCompanyText:
    'رُبط حسابك بتسجيل الدخول الخاص بشركتك، لأن فيه بريدك الإلكتروني لديها. انتهت كل الطرق الأخرى لتسجيل الدخول: كلمة المرور وتطبيق المصادقة ومفاتيح المرور ورموز واجهة البرمجة والحسابات المرتبطة الأخرى. سجّل الدخول عن طريق شركتك لإضافة ما تحتاجه من جديد.',
  credentialLeakedSubject: 'تسرّبت بيانات دخول من حسابك',
  credentialLeakedText:
    'عُثر على جلسة أو رمز API أو رابط من حسابك في مكان يمكن لآخرين قراءته. أُلغي ولم يعد يعمل. إذا كان برنامج يستخدمه، فيُرجى إنشاء بديل جديد، وإزالة القديم من المكان الذي نُشر فيه.',
  signInLockedSubject: 'محاولات فاشلة كثيرة لتسجيل الدخول إلى حسابك',
  signInLockedText:
    'جرت 100 محاولة فاشلة متتالية لتسجيل الدخول إلى حسابك. يمكنك تسجيل الدخول من المتصفحات والشبكات التي سبق استخدامها. للدخول من مكان آخر، يُرجى إعادة تعيين كلمة المرور.',
  emailRestoredSubject: 'أُزيل بريدك الإلكتروني من حساب',
  emailRestoredText:
    'عاد للحساب بريده الإلكتروني السابق. أبلغ شخص يمكنه الوصول إلى ذلك العنوان أنه لم يغيّره. إذا كان ذلك خطأً، فيُرجى مراجعة الإدارة.',
  administratorAddedSubject: 'تمت إضافة مسؤول جديد',
  administratorAddedText: 'حصل حساب على صلاحيات الإدارة. يمكن لصاحبه الآن فعل كل شيء هنا.',
  administratorGroupChangedSubject: 'تم تغيير مجموعة من المسؤولين',
  administratorGroupChangedText:
    'حصلت مجموعة على صلاحيات الإدارة، أو أُضيف أعضاء إلى مجموعة لديها هذه الصلاحيات. يمكن للأعضاء الآن فعل كل شيء هنا.',
  administratorSignInSetSubject: 'تم تغيير تسجيل دخول أحد المسؤولين',
  administratorSignInSetText:
    'غيّر شخص آخر كلمة المرور أو البريد الإلكتروني أو طريقة أخرى لتسجيل دخول أحد المسؤولين.',
  accountDeletionRequestedSubject: 'طُلب حذف حسابك',
  accountDeletionRequestedText:
    'طلب شخص سجّل الدخول إلى حسابك حذفه. حتى ذلك الحين يمكن سحب الطلب من صفحة حسابك.',
  accountDeletionWithdrawnSubject: 'تم سحب طلب حذف حسابك',
  accountDeletionWithdrawnText:
    'سحب شخص مسجّل الدخول إلى حسابك طلب حذفه. سيبقى الحساب. إذا كنت لا تزال تريد حذفه، فاطلب ذلك مرة أخرى في صفحة حسابك.',
  accountDeletionAskedSubject: 'مستخدم يطلب حذف حسابه',
  accountDeletionAskedText: 'يريد مستخدم المغادرة، والقرار في هذه الخدمة للمسؤولين.',
  accountDeletionAskedAct:
    'لا يمكن للمستخدم حذف الحساب بمفرده. يُرجى حذفه من صفحة الإدارة، أو سؤال المستخدم إذا كان هناك أمر غير واضح.',
  accountDeletionAskedButton: 'فتح المستخدم',
  administratorNoticeGroup: 'المجموعة',
  administratorNoticeAct:
    'إذا لم يكن ذلك متوقعًا، فيُرجى الاطلاع على سجل التدقيق وإنهاء جلسات الشخص الذي فعل ذلك.',
  administratorNoticeButton: 'فتح سجل التدقيق',
  administratorNoticeReason: 'لا يمكن للمسؤولين إيقاف هذه الرسائل، لأنها تحمي الخدمة.',
  organizationOwnerAddedSubject: 'أُضيف مالك جديد إلى مؤسسة',
  organizationOwnerAddedText: 'لدى مؤسسة مالك جديد. يمكن للمالكين فعل كل شيء فيها.',
  organizationTokenCreatedSubject: 'أُنشئ رمز واجهة برمجية لمؤسسة',
  organizationTokenCreatedText:
    'لدى مؤسسة رمز جديد للواجهة البرمجية. تستخدمه البرامج للعمل باسم المؤسسة، حتى بعد مغادرة من أنشأه.',
  organizationSignInAddedSubject: 'أُضيف تسجيل دخول الشركة إلى مؤسسة',
  organizationSignInAddedText:
    'لدى مؤسسة اتصال جديد بموفّر هوية. وحالما يعمل، يمكن للأشخاص أن يصبحوا أعضاء من خلاله.',
  organizationDomainProvenSubject: 'أُثبت نطاق لمؤسسة',
  organizationDomainProvenText:
    'لدى مؤسسة نطاق جديد مُثبت. يمكن لمن لديهم عناوين في هذا النطاق تسجيل الدخول عبر تسجيل دخول الشركة.',
  organizationRolesReportedSubject: 'أبلغ أحدهم عن سرقة حسابه',
  organizationRolesReportedText:
    'أبلغ شخص في مؤسسة أن تغييرات حسابه لم تكن منه. انتهت رموز الواجهة البرمجية والدعوات المفتوحة الخاصة به منذ ذلك الحين. ومنح هذا الحساب الأعضاء التالين أدوارهم منذ ذلك الحين. تبقى الأدوار حتى تغيّرها.',
  directoryOwnerKeptSubject: 'غادر آخر مالك لمؤسسة دليلها',
  directoryOwnerKeptText:
    'أنهى دليل إحدى المؤسسات وصول آخر مالك لها. انتهت جلساته وتسجيل دخوله هناك. تبقى عضويته حتى يصبح شخص آخر مالكًا: اجعل عضوًا آخر مالكًا، وسينهي الدليل العضوية مع طلبه التالي.',
  directoryPeopleLeftSubject: 'غادر كثير من الأشخاص دليل أحد الاتصالات',
  directoryPeopleLeftText:
    'خلال عشر دقائق، أنهى دليل أحد الاتصالات وصول أكثر من 50 شخصًا وأكثر من خُمس الجميع. انتهى كل ما كان لديهم. إذا كان ذلك خطأً، فأوقف الدليل في صفحة الاتصال وأعد الأشخاص هناك.',
  signInHookFailedSubject: 'لا يمكن لأحد تسجيل الدخول لأن دالة في أحد المنتجات لا تعمل',
  signInHookFailedText:
    'تسأل الخدمة دالة في أحد المنتجات عند كل تسجيل دخول، وهي لا تعطي جوابًا صالحًا. لا يمكن إلا للمسؤولين تسجيل الدخول، بمفتاح مرور أو بعامل ثانٍ. وقد فعل الحساب أدناه ذلك. أصلح الدالة، أو أوقف الخطاف في إعدادات الخدمة.',
  directoryPeopleLeftButton: 'عرض الاتصال',
  ownerNoticeOrganization: 'المؤسسة',
  ownerNoticeConcerns: 'يتعلق بـ',
  ownerNoticeRoles: 'الأدوار الممنوحة',
  ownerNoticeAct: 'إذا لم تكن تتوقع هذا، فاطّلع عليه وأنهِه.',
  ownerNoticeButton: 'عرض المؤسسة',
  signInEndedSubject: 'يجب إعداد تسجيل دخولك من جديد',
  signInEndedText:
    'حصل حسابك على صلاحيات جديدة. سبق أن حدّد شخص لا يملك هذه الصلاحيات، أو تسجيل الدخول الخاص بشركتك، طريقة تسجيل دخولك. ولذلك لم يعد ما تم تحديده يعمل. سيصلك رابط لاختيار كلمة مرور جديدة، أو ستساعدك الإدارة. بعد ذلك يمكنك ربط حساب شركتك من جديد في صفحة حسابك.',
  newDeviceSubject: 'تسجيل دخول جديد إلى حسابك',
  newDeviceText: 'تم تسجيل الدخول إلى حسابك من جهاز لم يُستخدم من قبل.',
  organizationInvitationSubject: 'دعوة إلى {organization} في {product}',
  organizationInvitationBy: 'دعوة من {inviter} إلى المؤسسة {organization} على {host}.',
  organizationInvitationButton: 'عرض الدعوة',
  organizationEndingSubject: 'سيتم حذف {organization} في {product}',
  organizationEndingHeading: 'سيتم حذف مؤسستك',
  organizationEndingText:
    'طلب أحد المالكين حذف المؤسسة {organization} على {host}. وتنتهي معها العضويات ورموز واجهة برمجة التطبيقات ودخول الشركة. وتبقى حسابات الأعضاء.',
  organizationEndingDay: 'وقت الحذف',
  organizationEndingKeep: 'حتى ذلك الحين، يمكن لكل مالك الإبقاء على المؤسسة.',
  organizationEndingButton: 'عرض الإعدادات',
  organizationEndingReason: 'تصلك هذه الرسالة لأنك من مالكي المؤسسة.',

  signUpSubject: 'إنشاء حسابك في {product}',
  signUpEntered: 'أُدخل هذا العنوان لإنشاء حساب في {host}. للمتابعة، افتح هذا الرابط:',
  signUpButton: 'إنشاء حساب',
  signUpExpiry:
    'يعمل الرابط مرة واحدة وتنتهي صلاحيته بعد {hours, plural, zero {# ساعة} one {ساعة واحدة} two {ساعتين} few {# ساعات} many {# ساعة} other {# ساعة}}.',
  signUpIgnore: 'إن لم تكن أنت، فتجاهل هذه الرسالة. لا يُنشأ أي حساب من دون الرابط.',
  signUpKnownSubject: 'لديك حساب بالفعل في {product}',
  signUpKnown: 'أُدخل هذا العنوان لإنشاء حساب في {host}. لديك حساب بهذا العنوان بالفعل.',
  signUpKnownInstruction: 'سجّل الدخول بهذا العنوان. إذا نسيت كلمة المرور، فاختر كلمة جديدة هناك:',
  signUpKnownIgnore: 'إن لم تكن أنت، فيمكنك تجاهل هذه الرسالة. لم يتغير شيء.',
  signUpWaitingSubject: 'شخص ينتظر حسابًا في {product}',
  signUpWaiting: 'يرغب {person} في حساب على {host} وقد أكّد هذا العنوان.',
  signUpWaitingButton: 'البتّ في الطلب',
  signUpWaitingReason: 'تصلك هذه الرسالة لأن سياسة التسجيل تذكرك.',
}
