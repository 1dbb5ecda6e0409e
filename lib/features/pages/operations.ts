import * as z from 'zod/mini'
import { anyone, anyoneOrKnown } from '../../kernel/contract/access.ts'
import { describe } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { pagesFiles } from './files.operations.ts'
import { wellKnownFiles } from './well-known.operations.ts'

// Mail services add tracking parameters to links in emails. Pages accept and ignore them.
const anything = z.looseObject({})
const exampleHtml = docs && ({ 200: [{ summary: 'A page', value: '<!doctype html>…' }] } as const)

export const pages = {
  signInPage: defineOperation({
    id: 'sign_in_page',
    group: 'pages',
    method: 'GET',
    path: '/',
    access: anyoneOrKnown,
    allowsSetupSession: true,
    summary: 'Show the built-in sign-in page',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the sign-in page for browsers. It offers passwords, passkeys and the identity providers. After the sign-in, the browser
has the session cookie and goes to the start page of the user. A product can use a page of its own instead.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  resetPage: defineOperation({
    id: 'reset_page',
    group: 'pages',
    method: 'GET',
    path: '/reset',
    access: anyone,
    summary: 'Show the page that a password reset link opens',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that a password reset link opens. The token is in the fragment of the URL, which browsers never send. Opening
the page changes nothing. The user enters a new password, and the page calls \`reset_password\`.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  securePage: defineOperation({
    id: 'secure_page',
    group: 'pages',
    method: 'GET',
    path: '/secure',
    access: anyone,
    summary: 'Show the page that the link of a security email opens',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that the link "This wasn't me" of a security email opens. Opening the page changes nothing. Its button calls
\`report_change\`.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  confirmPage: defineOperation({
    id: 'confirm_page',
    group: 'pages',
    method: 'GET',
    path: '/confirm',
    access: anyone,
    summary: 'Show the page that confirms an email address',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that a link in an email opens to confirm an address. Opening the page changes nothing, so that mail scanners do
not use up the link. Its buttons call \`confirm_email\` and \`reject_email_confirmation\`.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  linkPage: defineOperation({
    id: 'link_page',
    group: 'pages',
    method: 'GET',
    path: '/link',
    access: anyone,
    summary: 'Show the page that an access link opens',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that an access link opens, unless the link has a page of a product as \`url\`. The value of the link is in the
fragment of the URL. Opening the page takes no view. Its button calls \`redeem_access_token\`.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  passkeysPage: defineOperation({
    id: 'passkeys_page',
    group: 'pages',
    method: 'GET',
    path: '/passkeys',
    access: anyone,
    summary: 'Lead to the page where users manage their passkeys',
    query: anything,
    // 303 to the account page.
    responses: { 303: null },
    text:
      docs &&
      describe(() => ({
        description:
          'Leads to the account page, where users add, rename and remove their passkeys. Older links open this address.',
        parameters: {},
        responses: {},
      })),
  }),
  signUpPage: defineOperation({
    id: 'sign_up_page',
    group: 'pages',
    method: 'GET',
    path: '/sign-up',
    access: anyone,
    summary: 'Show the page on which people create their own account',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that asks for an address, and that the link in the email opens. The token of the link is in the fragment of the URL.
Opening the page uses nothing. It calls \`request_sign_up\` and \`complete_sign_up\`, and leads to the page of invitations.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  invitePage: defineOperation({
    id: 'invite_page',
    group: 'pages',
    method: 'GET',
    path: '/invite',
    // The page says if someone else is signed in.
    access: anyoneOrKnown,
    allowsSetupSession: true,
    summary: 'Show the page that an invitation opens',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that the link of an invitation opens. The token is in the fragment of the address, which no server gets, and
opening the page uses nothing. The user chooses a password, a passkey or the account of their company, and is signed in.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  setupPage: defineOperation({
    id: 'setup_page',
    group: 'pages',
    method: 'GET',
    path: '/setup',
    access: anyone,
    summary: 'Show the page on which a customer sets up their connection',
    query: anything,
    responses: { 200: 'text/html' },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page that a set-up link opens. The token is in the fragment of the address, which no server gets, and opening the page
uses nothing.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  accountPage: defineOperation({
    id: 'account_page',
    group: 'pages',
    method: 'GET',
    path: '/account',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    allowsSetupSession: true,
    summary: 'Show the page where users manage their account',
    query: anything,
    // 303 to the sign-in page if no one is signed in.
    responses: { 200: 'text/html', 303: null },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page where users manage their account: profile, password, second factor, passkeys, sessions and API tokens. Without
a session, it leads to the sign-in page and back.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  organizationPage: defineOperation({
    id: 'organization_page',
    group: 'pages',
    method: 'GET',
    path: '/organization',
    access: anyoneOrKnown,
    allowsOrganizationSession: true,
    summary: 'Show the page with which an organization manages itself',
    query: anything,
    // 303 to the sign-in page if no one is signed in.
    responses: { 200: 'text/html', 303: null },
    text:
      docs &&
      describe(() => ({
        description: `Shows the page with which an organization manages itself: members, invitations, API tokens, roles and settings. Every user with
a session gets the page, which shows only what their roles allow. All its data comes from the operations of this interface, which
check the roles. Without a session, it leads to the sign-in page and back.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  adminPage: defineOperation({
    id: 'admin_page',
    group: 'pages',
    method: 'GET',
    path: '/admin',
    access: anyoneOrKnown,
    allowsSetupSession: true,
    summary: 'Show the console for administrators',
    query: anything,
    // 303 to the sign-in page if no one is signed in.
    responses: { 200: 'text/html', 303: null },
    text:
      docs &&
      describe(() => ({
        description: `Shows the console for administrators. Every user with a session gets the page, which shows only what their permissions allow.
All its data comes from the operations of this interface, which check the permissions. Without a session, it leads to the
sign-in page and back.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  ...pagesFiles,
  ...wellKnownFiles,
}
