import { createHash } from 'node:crypto'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { isLimitedToPasskeySetup, isLimitedToSetup } from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { hasPasskeys, requiresPasskey } from '../../accounts/users/account-state.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { choosePageLanguage, fillTemplate, keepChosenLanguage } from '../../http/page.ts'
import type { ConfirmationWays, PageBrand, PageData, PageUser } from '../../kernel/contract/page-data.ts'
import {
  consoleLanguages,
  defaultLanguage,
  getDirection,
  isConsoleLanguage,
  isolate,
  type Language,
  languages,
  nameMessageFile,
  nameScriptFolder,
} from '../../kernel/i18n/languages.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Services } from '../../services.ts'
import { type Logo, localizeBranding, nameOwner, type ShownBranding } from '../branding/brand.models.ts'
import { buildBrandStyle } from '../branding/brand-style.ts'
import { findBranding } from '../branding/find-branding.ts'
import { getStartPath } from '../connections/retry-path.ts'
import { addNamedBranding } from '../organizations/shown-branding.ts'
import { lacksOnlyCode } from '../sign-in/authentication-class.ts'
import { isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { messagesVersion, pageFiles, pageTexts } from './app.prebuilt.ts'

type PageName = keyof typeof pageFiles

/** Pages that have the look of the organization that their address names. */
const brandedByOrganization: readonly PageName[] = ['signIn', 'invite']

export interface PageRequest {
  readonly query: Readonly<Record<string, unknown>>
  readonly context: RequestContext
  readonly cookies: readonly string[]
  readonly principal: Principal | undefined
  readonly target: { readonly path: string }
}

/** The parts of the page data that only some pages need. */
export type ExtraData = Partial<
  Pick<
    PageData,
    | 'providers'
    | 'hasDomains'
    | 'allowsEmailCodes'
    | 'passkeysOnly'
    | 'signUp'
    | 'canAdminister'
    | 'returnTarget'
    | 'account'
  >
>

/**
 * Returns the use case that answers with a page: an HTML document with the language, the brand and the data of the first
 * paint. Its scripts run in the browser only. The parameter `product` chooses the brand of a product.
 */
export const showAppPage =
  (name: PageName, readExtraData?: (request: PageRequest, services: Services) => Promise<ExtraData>) =>
  async (request: PageRequest, services: Services) => {
    const { query, cookies, context, principal } = request
    // An administrator who impersonates a user reads the pages of the user.
    const reader = principal?.actor ?? principal?.user
    const hints = { userLanguage: reader?.language, acceptLanguage: context.language }
    const chosen = choosePageLanguage({ query, cookies, ...hints })
    const language = name === 'admin' && !isConsoleLanguage(chosen) ? defaultLanguage : chosen
    const product = chooseProduct(name, query, services.config)
    const ofProduct = await findBranding(services, product)
    const branding: ShownBranding = brandedByOrganization.includes(name)
      ? await addNamedBranding(services, query, ofProduct)
      : ofProduct
    const data: PageData = {
      page: name,
      language,
      languages: name === 'admin' ? consoleLanguages : languages,
      signInUrl: services.config.signInUrl,
      brand: toPageBrand(branding, language),
      product: product ?? null,
      user: request.principal ? toPageUser(request.principal) : null,
      providers: [],
      hasDomains: false,
      allowsEmailCodes: false,
      passkeysOnly: false,
      signUp: null,
      sendsEmail: services.config.mailFrom !== undefined,
      canAdminister: false,
      returnTarget: null,
      account: null,
      ...(await readExtraData?.(request, services)),
    }
    // `{product}` is all that the titles contain of ICU messages. Their library would be a fifth of the start.
    const { [name]: title, needsScript, loading, loadingSlowly } = pageTexts[language]
    const style = buildBrandStyle(branding)
    const { script, stylesheet, imports, parts, preload } = pageFiles[name]
    const folder = nameScriptFolder(language, messagesVersion)
    const preloads = [...imports, ...parts.map(nameMessageFile)]
      .map((file) => `<link rel="modulepreload" href="/assets/js/${folder}/${file}">`)
      .join('')
    const { logo, dark_logo } = data.brand
    const html = fillTemplate(
      shell.replace('START', () => frames.get(name) ?? cardFrame).replace('PRELOADS', preloads),
      {
        language,
        direction: getDirection(language),
        title: title.replace('{product}', () => isolate(nameTarget(data), language)),
        style,
        ...(branding.icon && { icon: `/logos/${branding.icon.hash}` }),
        ...(preload !== undefined && { preload }),
        stylesheet,
        folder,
        script,
        data: JSON.stringify(data),
        needsScript,
        loading,
        loadingSlowly,
        product: branding.product_name,
        ...(branding.organization !== undefined && {
          owner: nameOwner(branding.organization, branding.product_name),
        }),
        logoName: branding.organization === undefined ? branding.product_name : '',
        ...(logo ? toLogoTexts(logo, dark_logo) : { noLogo: '' }),
      },
    )
    return {
      status: 200 as const,
      body: html,
      headers: { 'content-security-policy': buildPolicy(style) },
      cookies: keepChosenLanguage(services.config, request.query),
    }
  }

/** The product that the page leads into, or else the one whose page it is. */
const nameTarget = ({ returnTarget, brand }: PageData): string =>
  returnTarget !== null && returnTarget !== 'refused' && returnTarget.isExternal
    ? returnTarget.name
    : brand.product_name

/** The product that the address names, if it is one. Access links that name none lead to the first one. */
const chooseProduct = (
  name: PageName,
  { product }: PageRequest['query'],
  { linkProducts }: Config,
): string | undefined => {
  const isDefault = product === undefined && name === 'link'
  return linkProducts.find((one) => isDefault || one.name === product)?.name
}

/** Leads to the sign-in page, and back from there, if no one is signed in. */
export const requireSignIn =
  (show: ReturnType<typeof showAppPage>) => async (request: PageRequest, services: Services) => {
    if (request.principal) return show(request, services)
    const address = new URL(services.config.signInUrl)
    address.searchParams.set('return_to', request.target.path)
    return { status: 303 as const, headers: { location: address.href } }
  }

const shell = [
  '<!doctype html>',
  '<html lang="{{language}}" dir="{{direction}}">',
  '<head>',
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="robots" content="noindex">',
  '<meta name="color-scheme" content="light dark">',
  '<title>{{title}}</title>',
  '{{#icon}}<link rel="icon" href="{{icon}}">{{/icon}}',
  '{{#preload}}<script type="module" async src="/assets/js/{{folder}}/{{preload}}"></script>{{/preload}}',
  '<link rel="stylesheet" href="/assets/css/{{stylesheet}}">',
  '<style>{{style}}</style>',
  'PRELOADS',
  '</head>',
  '<body>',
  '<div id="app" data-page="{{data}}">START</div>',
  '<script type="module" src="/assets/js/{{folder}}/{{script}}"></script>',
  '</body>',
  '</html>',
].join('\n')

/** What is on display until the scripts are there: the frame of the page with the brand, and that the rest is on its way. */
const brandHeader = [
  '<header class="brand">{{#noLogo}}<span>{{product}}</span>{{/noLogo}}{{#logo}}<picture>',
  '{{#darkLogo}}<source media="(prefers-color-scheme: dark)" srcset="{{darkLogo}}">{{/darkLogo}}',
  '<img src="{{logo}}" width="{{logoWidth}}" height="{{logoHeight}}" alt="{{logoName}}"></picture>{{/logo}}',
  '{{#owner}}<p>{{owner}}</p>{{/owner}}</header>',
].join('')
const startTexts = [
  '<noscript><h1>{{title}}</h1><p>{{needsScript}}</p></noscript>',
  '<p class="start-text">{{loading}}</p><p class="start-text late">{{loadingSlowly}}</p>',
].join('')
const cardFrame = `<div class="card-page start">${brandHeader}<main class="card">${startTexts}</main></div>`
const appFrame = `<div class="app-page start"><div class="app-header">${brandHeader}</div><main class="app-content">${startTexts}</main></div>`
const frames: ReadonlyMap<PageName, string> = new Map([
  ['account', appFrame],
  ['organization', appFrame],
  [
    'admin',
    [
      '<div class="console start"><div class="sidebar"><div class="sidebar-content"><div class="sidebar-top">',
      `${brandHeader}</div></div></div><main>${startTexts}</main></div>`,
    ].join(''),
  ],
])

type PageLogo = NonNullable<PageBrand['logo']>

const toLogoTexts = (
  { url, width, height }: PageLogo,
  dark: PageBrand['dark_logo'],
): Readonly<Record<string, string>> => ({
  logo: url,
  logoWidth: String(width),
  logoHeight: String(height),
  ...(dark && { darkLogo: dark.url }),
})

/** The logo has the address of the service. Browsers keep it, because the address contains a hash of it. */
const toPageBrand = (branding: ShownBranding, language: Language): PageBrand => {
  const { product_name, logo, dark_logo, support_url, privacy_url, terms_url, greeting, footer } =
    localizeBranding(branding, language)
  return {
    product_name,
    support_url,
    privacy_url,
    terms_url,
    greeting,
    footer,
    organization: branding.organization ?? null,
    logo: toPageLogo(logo),
    dark_logo: toPageLogo(dark_logo),
  }
}

const toPageLogo = (logo: Logo | null): PageBrand['logo'] =>
  logo && { url: `/logos/${logo.hash}`, width: logo.width, height: logo.height }

const buildPolicy = (style: string): string => {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Returns what pages show of the user who is signed in. It takes no table call. */
const toPageUser = (principal: Principal): PageUser => {
  const { user, session, actor } = principal
  return {
    id: user.id,
    username: user.username,
    displayName: getDisplayName(user),
    isGuest: isGuestUser(user),
    impersonatedBy: actor ? getDisplayName(actor) : null,
    session: getSessionKind(principal),
    confirmation: getConfirmationWays(session, user),
  }
}

const getSessionKind = (principal: Principal): PageUser['session'] => {
  if (principal.session?.accessLink) return 'link'
  if (isLimitedToOrganizations(principal)) return 'organizations'
  if (isLimitedToPasskeySetup(principal.session)) return 'passkey_setup'
  return isLimitedToSetup(principal) ? 'setup' : 'full'
}

const getConfirmationWays = (session: SessionRecord | undefined, user: UserRecord): ConfirmationWays => ({
  // A user who requires a passkey with the password confirms with the passkey.
  lacksCode: Boolean(user.totp) && session !== undefined && lacksOnlyCode(session.authentication.methods),
  hasPassword: user.passwordHash !== null && (!requiresPasskey(user) || Boolean(user.totp)),
  hasPasskey: hasPasskeys(user),
  providerStartPath: session?.providerSubject
    ? getStartPath({ id: session.providerSubject.providerId, kind: session.providerSubject.kind })
    : null,
})
