import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const pt: Translation<typeof en> = {
  goToSignIn: 'Ir para a página de entrada',
  support: 'Ajuda',
  tryAgain: 'Tentar novamente',
  requestNumber: 'Número da solicitação: {number}',
  minutes: '{count, plural, one {# minuto} other {# minutos}}',
  seconds: '{count, plural, one {# segundo} other {# segundos}}',
  notFoundTitle: 'Página não encontrada',
  notFound:
    'Não há nenhuma página neste endereço. O endereço pode estar incompleto ou a página pode ter mudado de lugar.',
  noPageTitle: 'Esta página não pode ser mostrada',
  noPage: 'Este endereço é destinado a programas e não tem página.',
  tooManyTitle: 'Muitas tentativas',
  tooMany: 'Houve tentativas demais. Aguarde {wait} e tente novamente.',
  notSignedInTitle: 'Você não entrou',
  forbiddenTitle: 'Você não pode fazer isso',
  didNotWorkTitle: 'Não funcionou',
  wrongTitle: 'Ocorreu um erro',
  signOutFailedTitle: 'Não foi possível sair',
  signInFailedTitle: 'Não foi possível entrar',
  expiredTitle: 'Esta entrada não é mais válida',
  providerMissing:
    'Este link leva a uma forma de entrar que não está mais disponível. Vá para a página de entrada e escolha outra.',
  signInFirst: 'Vá para a página de entrada, entre e tente novamente.',
  forbidden: 'Você não tem permissão para fazer isso. Se precisar dela, fale com a administração.',
  conflict: 'Outra pessoa fez uma alteração ao mesmo tempo. Tente novamente.',
  ourSide:
    'Ocorreu um erro do nosso lado. Tente novamente em instantes. Se o problema continuar, informe à administração o número da solicitação abaixo.',
  yourProvider: 'seu provedor de entrada',
  startLinkInvalid:
    'O link que trouxe você aqui para entrar com {provider} não é válido. Comece de novo aqui ou na página de entrada.',
  responseUnreadable:
    'Não conseguimos ler a resposta de {provider}, por isso você não entrou. Tente novamente. Se o problema continuar, fale com a administração.',
  signOutUnreadable:
    'Não conseguimos usar a resposta de {provider}, por isso sua sessão aqui talvez continue ativa. Verifique na página de entrada e saia por lá.',
  linkInvalid: 'Este link não é válido. Vá para a página de entrada e comece por lá.',
  failed:
    'Não foi possível entrar com {provider}. Tente novamente. Se o problema continuar, informe à administração o número da solicitação abaixo.',
  noCookie:
    'Seu navegador não guardou um cookie necessário para entrar. Permita cookies para {host} e entre novamente.',
  notStarted: 'A entrada com {provider} não começou aqui ou começou há muito tempo. Comece de novo aqui.',
  otherBrowser: 'A entrada foi iniciada em outro navegador. Entre novamente neste.',
  ended: 'A entrada já terminou ou demorou demais. Entre novamente.',
  signedOut: '{provider} encerrou sua sessão nesse meio-tempo. Entre novamente.',
  signUpRefused:
    'Nenhuma conta foi criada para você. Se acha que deveria ter uma, fale com os responsáveis por este serviço.',
  noAccount:
    'Nenhuma conta aqui está vinculada a ela. Se você tem uma, vincule as duas agora: entre aqui e depois confirme. Caso contrário, fale com a administração.',
  needsInvitation:
    'Novas contas aqui precisam de um convite. Se você tem um, abra o link dele e escolha {provider} lá.',
  connectAccounts: 'Tenho uma conta aqui: entrar e vincular',
  accountThere: 'Em {provider}, sua conta é {account}.',
  switchQuestion: 'Continuar como {account}?',
  switchWarning:
    'Aqui, essa é outra conta. Se você não acabou de entrar com {provider}, continue como {user}.',
  switchYes: 'Continuar como {account}',
  switchNo: 'Não sair da conta {user}',
  switchDone: 'Você entrou como {account}',
  connectQuestion: 'Vincular {account} de {provider} à sua conta {user}?',
  connectWarning:
    'Depois disso, quem entrar em {provider} como {account} entrará aqui como {user}. Vincule somente uma conta que seja sua.',
  connectYes: 'Vincular',
  connectNo: 'Não vincular',
  connectDone: 'As contas estão vinculadas',
  createQuestion: 'Criar uma conta aqui?',
  createUnknown: 'Ela ainda não está vinculada a uma conta aqui. Se você já tem uma conta aqui, vincule-a.',
  createYes: 'Criar uma conta',
  acceptTerms: 'Aceito os {terms}',
  terms: 'termos de uso (versão {version})',
  codeQuestion: 'Digite seu código',
  codeLabel: 'Código do seu aplicativo autenticador ou um código de recuperação',
  codeWrong: 'O código está errado, expirou ou já foi usado. Aguarde o próximo.',
  secondFactorNeeded:
    'Sua conta exige uma segunda prova de identidade. Na página de login, entre com sua chave de acesso, ou com senha e código.',
  codeDone: 'Você entrou na sua conta',
  otherProvider: 'Sua empresa exige que você entre com {provider}.',
  disabled: 'Sua conta aqui está desativada ou expirou. Fale com a administração.',
  taken: 'Sua conta em {provider} pertence a outro usuário aqui. Entre com ela ou fale com a administração.',
  signInToLink: 'Entre primeiro aqui. Depois vincule sua conta em {provider}.',
  organizationInactive: 'Sua organização não pode ser usada aqui no momento. Fale com a administração dela.',
  organizationFull:
    'Sua organização já tem aqui o número máximo de membros. Peça uma vaga à administração dela.',
  notMember: 'Você não é membro desta organização. Peça à administração dela que o adicione.',
  needsHttps:
    '{provider} só permite entrar num endereço https com nome de domínio, e {host} não é um. Entre aqui de outra forma.',
  noNewProof:
    '{provider} não pediu que você entrasse novamente, o que é necessário aqui. Saia de lá e tente novamente. Se o problema continuar, fale com a administração.',
  oldKey:
    'Não foi possível ler a resposta de {provider}, assim como outras anteriores. A administração precisa renovar a conexão com {provider}.',
  appRequestInvalid:
    'O aplicativo enviou uma solicitação que não é válida. Volte ao aplicativo ou fale com os responsáveis por ele.',
  appSignOutInvalid: 'O aplicativo enviou uma solicitação que não é válida. Sua sessão continua ativa.',
  appExpired:
    'Ela foi concluída, expirou ou foi iniciada em outro navegador. Volte ao aplicativo e entre novamente.',
  appOther: 'Volte ao aplicativo e tente novamente.',
  signOutTitle: 'Sair?',
  signOutFrom: 'Você veio de {app}.',
  signOutAll: 'Você sairá de todos os aplicativos que usam esta conta neste navegador.',
  signOut: 'Sair',
  staySignedIn: 'Não sair',
  deviceTitle: 'Entrar em um dispositivo',
  deviceEnter: 'Digite o código que seu dispositivo mostra.',
  deviceCode: 'Código',
  deviceUnknown: 'Este código está errado ou expirou. Confira o código no seu dispositivo.',
  deviceNext: 'Avançar',
  deviceSignInTo: 'Entrar em {app}?',
  deviceUser: 'Você entrou como {user}.',
  deviceOtherUser: 'Usar outra conta',
  deviceCompare:
    'Continue somente se seu dispositivo mostrar este código e se você mesmo começou a entrar em {app} nele. Se alguém enviou o código ou um link para você, cancele.',
  deviceGets: '{app} receberá:',
  deviceGetsId: 'seu ID de usuário, e quando e como você entrou',
  deviceGetsProfile: 'seu nome, nome de usuário e idioma',
  deviceGetsEmail: 'seu endereço de e-mail',
  deviceGetsPhone: 'seu número de telefone',
  deviceGetsAddress: 'seu endereço postal',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'seus grupos',
  deviceGetsPermissions: 'suas permissões',
  deviceGetsAttributes: 'outros dados sobre você',
  deviceGetsOrganization: 'sua organização e suas funções nela',
  deviceGetsAudience: 'acesso em seu nome a {audience}',
  deviceGetsOffline: 'acesso até você encerrá-lo na página da sua conta',
  requestChanged:
    'Esta solicitação mudou depois que você abriu a página. Nada aconteceu ainda. Leia-a de novo antes de responder.',
  deviceContinue: 'Continuar',
  deviceCancel: 'Cancelar',
  organizationQuestion: 'Escolha uma organização',
  organizationFor: 'Você continuará em {app} pela organização que escolher.',
  consentQuestion: 'Dar acesso a {app}?',
  consentWarning:
    'Nenhum administrador registrou este app. Continue somente se você acabou de iniciá-lo e confia em {app}.',
  nativeAppWarning:
    'Qualquer programa neste dispositivo pode se passar por {app}. Continue somente se você mesmo acabou de começar a entrar nele.',
  consentAddress: 'Endereço do app: {address}',
  consentLeadsTo: 'Depois você segue para {target}.',
  deviceDoneTitle: 'Seu dispositivo entrou',
  deviceDone: 'Volte para {app} no seu dispositivo. Você pode fechar esta página.',
  deviceDeniedTitle: 'Cancelado',
  deviceDenied: '{app} não entrou no dispositivo. Você pode fechar esta página.',
}
