import * as z from 'zod/mini'
import { anyone } from '../access.ts'
import { defineOperation } from '../operation.ts'

// Mail services add tracking parameters to links in emails. Pages accept and ignore them.
const anything = z.looseObject({})

export const pages = {
  signInPage: defineOperation({
    id: 'sign_in_page',
    group: 'pages',
    method: 'GET',
    path: '/',
    access: anyone,
    summary: 'Show the built-in sign-in page',
    query: anything,
    responses: { 200: 'text/html' },
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
  }),
  passkeysPage: defineOperation({
    id: 'passkeys_page',
    group: 'pages',
    method: 'GET',
    path: '/passkeys',
    access: anyone,
    summary: 'Show the page where users manage their passkeys',
    query: anything,
    responses: { 200: 'text/html' },
  }),
  referencePage: defineOperation({
    id: 'reference_page',
    group: 'pages',
    method: 'GET',
    path: '/docs',
    access: anyone,
    summary: 'Show the reference of all operations and models',
    query: anything,
    responses: { 200: 'text/html', 304: null },
    errors: ['not_found'],
  }),
  getOpenApi: defineOperation({
    id: 'get_open_api',
    group: 'pages',
    method: 'GET',
    path: '/api/2/openapi.json',
    access: anyone,
    summary: 'Get the OpenAPI document of this interface',
    // 304 if `If-None-Match` names the current document.
    responses: { 200: anything, 304: null },
  }),
}
