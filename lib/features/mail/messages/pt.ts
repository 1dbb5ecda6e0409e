import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const pt: Translation<typeof en> = {
  buttonHint: 'Se o botão não funcionar, copie este endereço para o navegador:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Entrar',
  supportLink: 'Ajuda',
  privacyLink: 'Privacidade',
  termsLink: 'Termos de uso',

  resetSubject: 'Escolha uma nova senha para {product}',
  resetRequested: 'Foi solicitada uma nova senha para a conta {username} em {host}.',
  resetInstruction: 'Para escolher uma nova senha, abra este link:',
  resetButton: 'Escolher uma nova senha',
  resetExpiry: 'O link funciona uma vez e expira em {minutes, plural, one {# minuto} other {# minutos}}.',
  resetIgnore: 'Se você não fez esta solicitação, pode ignorar este e-mail. Sua senha continua a mesma.',
  resetLockedSubject: 'Entre novamente em {product}',
  resetLocked:
    'Alguém digitou a senha correta da conta {username} em {host}. A entrada foi recusada porque houve tentativas malsucedidas demais antes. Para entrar, escolha primeiro uma nova senha.',
  resetBreached:
    'Alguém digitou a senha correta da conta {username} em {host}. Esta senha apareceu em um vazamento de dados de outro serviço, então outras pessoas podem conhecê-la. Para entrar, escolha primeiro uma nova senha.',
  resetLockedWarning: 'Se não foi você, alguém sabe sua senha. Escolha uma nova agora.',

  quoted: '“{text}”',
  confirmationSubject: 'Confirme seu endereço de e-mail para {product}',
  confirmationEntered: 'Este endereço foi informado para a conta {username} em {host}.',
  confirmationInstruction: 'Se esta é sua conta, confirme o endereço:',
  confirmationButton: 'Confirmar este endereço',
  confirmationExpiry: 'O link funciona uma vez e expira em {days, plural, one {# dia} other {# dias}}.',
  confirmationIgnore:
    'Se esta não é sua conta, abra o link e escolha “Esta não é minha conta”. A conta então perde o endereço.',

  invitationSubject: 'Convite para {product}',
  invitationBy: '{inviter} convidou você para {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Você recebeu um convite para {product}.',
  invitationAccount: 'Sua conta {username} em {host} está pronta. Escolha como quer entrar:',
  invitationButton: 'Aceitar o convite',
  invitationExpiry:
    'O link funciona uma vez e expira em {days, plural, one {# dia} other {# dias}}. Depois disso, peça um novo convite.',
  invitationIgnore: 'Se você não esperava este convite, pode ignorar este e-mail. Não repasse o link.',

  codeSubject: 'Seu código de entrada para {product}',
  codeInstruction: 'Use este código para entrar na conta {username} em {host}:',
  codePlace: 'Digite-o na página em que você o pediu. Ele não funciona em nenhum outro lugar.',
  codeExpiry: 'O código funciona uma vez e expira em {minutes, plural, one {# minuto} other {# minutos}}.',
  codeOrigin: 'Ele foi solicitado a partir do endereço {address}.',
  codeIgnore: 'Se não foi você, ignore este e-mail e não repasse o código.',
  joinCodeSubject: 'Seu código para participar de {organization} em {product}',
  joinCodeInstruction:
    'Use este código para participar da organização {organization} em {host} com a conta {username}:',

  linkSubject: '{name} (via {product}): {subject}',
  linkHeading: '{name} compartilhou algo com você',
  linkHeadingObject: '{name} compartilhou {object} com você',
  linkHeadingCount: '{name} compartilhou {count, plural, one {# item} other {# itens}} com você',
  linkBehalf: 'Enviado em nome de {account}, que tem uma conta em {host}.',
  linkQuote: '{name} escreve:',
  linkButton: 'Abrir o link',
  linkPassword: 'Ele é protegido por uma senha, que não está neste e-mail. Peça-a a {name}.',
  linkSignIn: 'É preciso entrar para abri-lo.',
  linkSharing: 'Qualquer pessoa com este link pode abri-lo. Não o compartilhe.',
  linkSharingWithPassword: 'Qualquer pessoa com este link e a senha dele pode abri-lo. Não os compartilhe.',
  linkViews: 'Ele pode ser aberto {count, plural, one {uma vez} other {# vezes}}.',
  linkExpiry: 'Ele funciona até {time}.',
  linkIgnore: 'Se você não conhece {name} ou não esperava este e-mail, pode ignorá-lo.',

  certificateExpiresSubject: 'Um certificado SAML expira em {days, plural, one {um dia} other {# dias}}',
  certificateExpiredSubject: 'Um certificado SAML expirou',
  certificateExpires:
    'Um certificado do provedor SAML {provider} (ID {id}) em {host} expira em {time}. Se o certificado não for substituído, a entrada por este provedor pode deixar de funcionar.',
  certificateExpired:
    'Um certificado do provedor SAML {provider} (ID {id}) em {host} expirou em {time}. Se o certificado não for substituído, a entrada por este provedor pode deixar de funcionar.',
  certificateOfProvider:
    'O certificado pertence ao provedor de identidade. Quando ele tiver um novo, abra o provedor na administração e atualize os metadados. Se os metadados tiverem um endereço, isso acontece automaticamente todos os dias.',
  certificateOfService:
    'O certificado pertence a este serviço. Abra o provedor na administração e publique uma nova chave. Quando o provedor de identidade tiver lido os metadados novamente, mude para a nova chave ali mesmo.',
  certificateButton: 'Abrir o provedor',
  certificateReason: 'Administradores recebem este e-mail 60, 30 e 7 dias antes de um certificado expirar.',

  setupMetadataSubject: 'Metadados enviados para {provider}',
  setupLiveSubject: '{provider} está em funcionamento',
  setupMetadata:
    'Alguém com o seu link de configuração enviou os metadados de um provedor de identidade para {provider} (ID {id}) em {host}.',
  setupLive:
    'A conexão {provider} (ID {id}) em {host} está em funcionamento. Agora as pessoas entram com este provedor de identidade.',
  setupEntityId: 'Entity ID',
  setupSource: 'Metadados',
  setupPasted: 'colados',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domínio',
  setupCompare:
    'O dono de cada certificado pode entrar como as pessoas da empresa. Compare os certificados com o cliente, e não por e-mail. Se um deles estiver errado, exclua a conexão.',
  setupProposal:
    'Os metadados neste endereço só são lidos de novo quando você escolher o endereço na administração.',
  setupReason: 'Você recebe este e-mail porque criou o link de configuração.',

  noticeAccount: 'Conta',
  noticeAccountValue: '{username} em {host}',
  noticeTime: 'Data e hora',
  noticeFrom: 'De',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Por',
  noticeByAdministrator: 'a administração',
  noticeQuestion: 'Se foi você, pode ignorar este e-mail. Se não foi você, abra este link:',
  noticeButton: 'Não fui eu',
  noticePage: 'A página explica o que acontece antes que algo mude.',
  noticeExpiry: 'O link expira em {days, plural, one {# dia} other {# dias}}.',
  noticeAskAdministrator: 'Se você não esperava isto, fale com a administração.',
  noticeReason: 'Não é possível desativar estes e-mails, porque eles protegem sua conta.',
  deviceWithBrowser: '{browser} no {system}',
  deviceWithoutBrowser: 'um programa desconhecido no {system}',
  deviceUnknown: 'um programa desconhecido',

  passwordChangedSubject: 'Sua senha foi alterada',
  passwordChangedText: 'A senha da sua conta foi alterada. Todas as outras sessões foram encerradas.',
  passwordResetSubject: 'Sua senha foi redefinida',
  passwordResetText:
    'Uma nova senha foi definida com um link de redefinição. Todas as sessões foram encerradas.',
  passwordSetSubject: 'A administração definiu uma nova senha para você',
  passwordSetText:
    'A administração definiu uma nova senha para sua conta. Todas as sessões foram encerradas.',
  emailChangedSubject: 'Seu endereço de e-mail foi alterado',
  emailChangedText:
    'Sua conta agora tem outro endereço de e-mail. Os e-mails da sua conta não vão mais para este endereço.',
  emailMovedSubject: 'Seu endereço de e-mail passou para outra conta',
  emailMovedText:
    'Sua empresa conectou alguém com este endereço. O endereço agora pertence a essa conta, e a conta abaixo não o tem mais. Todo o resto da conta permanece, e você entra nela como antes. Se as duas contas são suas, peça à administração para uni-las.',
  secondFactorEnabledSubject: 'Seu segundo fator foi ativado',
  secondFactorEnabledText: 'Para entrar, agora também é necessário um código de um aplicativo autenticador.',
  secondFactorDisabledSubject: 'Seu segundo fator foi desativado',
  secondFactorDisabledText: 'Para entrar, não é mais necessário um código de um aplicativo autenticador.',
  recoveryCodeUsedSubject: 'Um código de recuperação foi usado',
  recoveryCodeUsedText:
    'Um código de recuperação substituiu o código do seu aplicativo autenticador. Ele não funciona mais.',
  recoveryCodesRenewedSubject: 'Seus códigos de recuperação foram substituídos',
  recoveryCodesRenewedText: 'Sua conta tem novos códigos de recuperação. Os anteriores não funcionam mais.',
  deviceRememberedSubject: 'Um navegador foi lembrado',
  deviceRememberedText:
    'Em um navegador em que o segundo fator foi usado, as entradas com sua senha não o pedem mais por um tempo limitado.',
  rememberedDeviceReusedSubject: 'Um navegador lembrado foi removido',
  rememberedDeviceReusedText:
    'Alguém que conhecia sua senha usou uma cópia antiga dos dados de um navegador lembrado. O navegador não é mais lembrado. Mude sua senha se você não souber o motivo.',
  passkeyAddedSubject: 'Uma passkey foi adicionada',
  passkeyAddedText: 'Uma passkey foi adicionada à sua conta. Agora ela pode ser usada para entrar.',
  passkeyRemovedSubject: 'Uma passkey foi removida',
  passkeyRemovedText:
    'Uma passkey da sua conta foi removida. Ela não permite mais entrar, e as outras sessões foram encerradas.',
  passkeyClonedSubject: 'Uma passkey foi recusada',
  passkeyClonedText:
    'Uma passkey da sua conta foi recusada, porque pode existir uma cópia dela. Remova esta passkey se você não souber o motivo.',
  passkeyRequiredSubject: 'Sua senha agora exige uma passkey',
  passkeyRequiredText: 'Para entrar com sua senha, agora também é necessária uma passkey.',
  passkeyOptionalSubject: 'Sua senha não exige mais uma passkey',
  passkeyOptionalText: 'Para entrar com sua senha, não é mais necessária uma passkey.',
  apiTokenCreatedSubject: 'Um token de API foi criado',
  apiTokenCreatedText:
    'Um novo token de API foi criado para sua conta. Programas podem usá-lo para agir com suas permissões.',
  apiTokenRevokedSubject: 'A administração excluiu um token de API seu',
  apiTokenRevokedText:
    'A administração excluiu um token de API da sua conta. Ele não funciona mais. Se um programa o usava, pergunte o motivo à administração antes de criar um novo.',
  companyAccountLinkedSubject: 'Outra conta foi vinculada à sua',
  companyAccountLinkedText:
    'Uma conta em um provedor de identidade foi vinculada à sua conta. Agora ela pode ser usada para entrar.',
  companyAccountUnlinkedSubject: 'Uma conta vinculada foi removida da sua',
  companyAccountUnlinkedText:
    'Uma conta em um provedor de identidade foi desvinculada da sua conta. Ela não permite mais entrar, e as outras sessões foram encerradas.',
  signInByCompanySubject: 'Agora você entra pela sua empresa',
  signInByCompanyText:
    'Sua conta foi ligada ao acesso da sua empresa, porque tem o seu endereço de e-mail da empresa. Todas as outras formas de entrar terminaram: senha, aplicativo autenticador, chaves de acesso, tokens de API e outras contas ligadas. Entre pela sua empresa para adicionar novamente as que você precisa.',
  credentialLeakedSubject: 'Uma credencial sua vazou',
  credentialLeakedText:
    'Uma sessão, um token de API ou um link da sua conta foi encontrado onde outros podiam lê-lo. Foi desativado e não funciona mais. Se um programa o usava, crie um novo. Remova o antigo do lugar em que foi publicado.',
  signInLockedSubject: 'Tentativas malsucedidas demais de entrar na sua conta',
  signInLockedText:
    'Houve 100 tentativas malsucedidas seguidas de entrar na sua conta. Você pode entrar a partir de navegadores e redes que já usou. Para entrar de outro lugar, redefina sua senha.',
  emailRestoredSubject: 'Seu endereço de e-mail foi removido de uma conta',
  emailRestoredText:
    'A conta tem novamente o endereço de e-mail anterior. Alguém com acesso àquele endereço informou que não o alterou. Se isso estiver errado, fale com a administração.',
  administratorAddedSubject: 'Um novo administrador foi adicionado',
  administratorAddedText: 'Uma conta recebeu acesso de administração. Quem a usa agora pode fazer tudo aqui.',
  administratorGroupChangedSubject: 'Um grupo de administradores foi alterado',
  administratorGroupChangedText:
    'Um grupo recebeu acesso de administração, ou um grupo que já o tinha recebeu novos membros. Os membros agora podem fazer tudo aqui.',
  administratorSignInSetSubject: 'A entrada de um administrador foi alterada',
  administratorSignInSetText:
    'Outra pessoa alterou a senha, o endereço de e-mail ou outra forma de entrar de um administrador.',
  accountDeletionRequestedSubject: 'A exclusão da sua conta foi solicitada',
  accountDeletionRequestedText:
    'Alguém que entrou na sua conta pediu a exclusão dela. Até lá, você pode retirar o pedido na página da sua conta.',
  accountDeletionWithdrawnSubject: 'O pedido de eliminação da sua conta foi retirado',
  accountDeletionWithdrawnText:
    'Alguém com sessão iniciada na sua conta retirou o pedido para a eliminar. A conta mantém-se. Se ainda a quiser eliminar, peça-o novamente na página da sua conta.',
  accountDeletionAskedSubject: 'Um usuário pede a exclusão da própria conta',
  accountDeletionAskedText: 'Um usuário quer sair, e neste serviço quem decide é a administração.',
  accountDeletionAskedAct:
    'O usuário não pode excluir a conta sozinho. Exclua a conta na administração, ou pergunte ao usuário se algo não estiver claro.',
  accountDeletionAskedButton: 'Abrir o usuário',
  administratorNoticeGroup: 'Grupo',
  administratorNoticeAct:
    'Se você não esperava isto, consulte o registro de auditoria e encerre as sessões da pessoa que fez a alteração.',
  administratorNoticeButton: 'Abrir o registro de auditoria',
  administratorNoticeReason:
    'Administradores não podem desativar estes e-mails, porque eles protegem o serviço.',
  organizationOwnerAddedSubject: 'Uma organização tem um novo proprietário',
  organizationOwnerAddedText:
    'Uma organização tem um novo proprietário. Os proprietários podem fazer tudo nela.',
  organizationTokenCreatedSubject: 'Um token de API de uma organização foi criado',
  organizationTokenCreatedText:
    'Uma organização tem um novo token de API. Programas agem com ele em nome da organização, mesmo depois que quem o criou saiu.',
  organizationSignInAddedSubject: 'Um acesso corporativo foi adicionado a uma organização',
  organizationSignInAddedText:
    'Uma organização tem uma nova conexão com um provedor de identidade. Quando ela funcionar, outras pessoas poderão se tornar membros por meio dela.',
  organizationDomainProvenSubject: 'Um domínio de uma organização foi comprovado',
  organizationDomainProvenText:
    'Uma organização tem um novo domínio comprovado. Pessoas com endereços desse domínio podem entrar pelo acesso corporativo.',
  organizationRolesReportedSubject: 'Alguém denunciou o roubo da própria conta',
  organizationRolesReportedText:
    'Alguém de uma organização informou que alterações na própria conta não foram suas. Os tokens de API e os convites abertos desde então foram encerrados. Desde então, essa conta deu funções a estes membros. As funções permanecem até que você as altere.',
  directoryOwnerKeptSubject: 'O último proprietário de uma organização saiu do diretório',
  directoryOwnerKeptText:
    'O diretório de uma organização encerrou o último proprietário. As sessões e a entrada dele ali terminaram. A participação continua até que outra pessoa seja proprietária: torne outro membro proprietário, e o diretório a encerrará com a próxima solicitação.',
  directoryPeopleLeftSubject: 'Muitas pessoas saíram do diretório de uma conexão',
  directoryPeopleLeftText:
    'Em dez minutos, o diretório de uma conexão encerrou mais de 50 pessoas e mais de um quinto de todas. Os acessos delas terminaram. Se foi um engano, pare o diretório na página da conexão e traga as pessoas de volta ali.',
  signInHookFailedSubject: 'Ninguém consegue entrar porque uma função de um produto falha',
  signInHookFailedText:
    'O serviço consulta uma função de um produto em cada início de sessão, e ela não dá uma resposta utilizável. Só os administradores conseguem entrar, com uma passkey ou um segundo fator. A conta abaixo fez isso. Repare a função ou desative o hook nas configurações do serviço.',
  directoryPeopleLeftButton: 'Ver a conexão',
  ownerNoticeOrganization: 'Organização',
  ownerNoticeConcerns: 'Refere-se a',
  ownerNoticeRoles: 'Funções dadas',
  ownerNoticeAct: 'Se você não esperava isso, verifique e encerre.',
  ownerNoticeButton: 'Ver a organização',
  signInEndedSubject: 'Você precisa configurar sua entrada novamente',
  signInEndedText:
    'Sua conta recebeu novas permissões. Antes, alguém que não as tem, ou o login da sua empresa, definiu como você entra. Por isso, o que foi definido não funciona mais. Você receberá um link para escolher uma nova senha, ou a administração ajudará você. Depois, você poderá conectar novamente sua conta da empresa na página da sua conta.',
  newDeviceSubject: 'Nova entrada na sua conta',
  newDeviceText: 'Alguém entrou na sua conta a partir de um dispositivo que não tinha sido usado antes.',
  organizationInvitationSubject: 'Convite para {organization} em {product}',
  organizationInvitationBy: '{inviter} convidou você para a organização {organization} em {host}.',
  organizationInvitationButton: 'Ver o convite',
  organizationEndingSubject: '{organization} em {product} será excluída',
  organizationEndingHeading: 'Sua organização será excluída',
  organizationEndingText:
    'Um proprietário pediu a exclusão da organização {organization} em {host}. As participações, os tokens de API e o login da empresa terminam com ela. As contas dos membros permanecem.',
  organizationEndingDay: 'Exclusão',
  organizationEndingKeep: 'Até lá, cada proprietário pode manter a organização.',
  organizationEndingButton: 'Ver as configurações',
  organizationEndingReason: 'Você recebe este e-mail porque é proprietário da organização.',

  signUpSubject: 'Crie sua conta em {product}',
  signUpEntered: 'Este endereço foi indicado para criar uma conta em {host}. Para continuar, abra este link:',
  signUpButton: 'Criar uma conta',
  signUpExpiry: 'O link funciona uma única vez e expira em {hours, plural, one {# hora} other {# horas}}.',
  signUpIgnore: 'Se não foi você, ignore este e-mail. Sem o link, nenhuma conta é criada.',
  signUpKnownSubject: 'Você já tem uma conta em {product}',
  signUpKnown: 'Este endereço foi indicado para criar uma conta em {host}. Você já tem uma conta com ele.',
  signUpKnownInstruction: 'Entre com este endereço. Se esqueceu a senha, escolha ali uma nova:',
  signUpKnownIgnore: 'Se não foi você, pode ignorar este e-mail. Nada mudou.',
  signUpWaitingSubject: 'Alguém aguarda uma conta em {product}',
  signUpWaiting: '{person} deseja uma conta em {host} e confirmou este endereço.',
  signUpWaitingButton: 'Decidir sobre o pedido',
  signUpWaitingReason: 'Você recebe este e-mail porque a política de cadastro indica você.',
}
