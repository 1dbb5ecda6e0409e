import * as z from 'zod/mini'
import { anyone } from '../access.ts'
import { operation } from '../operation.ts'

// Mail services add parameters of their own to the links in a mail; a page doesn't read any.
const anything = z.looseObject({})

export const pages = {
  signInPage: operation({
    id: 'sign_in_page',
    group: 'pages',
    method: 'GET',
    path: '/',
    access: anyone,
    summary: 'The page to sign in on, for a product without one of its own',
    query: anything,
    responses: { 200: 'text/html' },
  }),
  resetPage: operation({
    id: 'reset_page',
    group: 'pages',
    method: 'GET',
    path: '/reset',
    access: anyone,
    summary: 'The page that a reset link leads to, where a new password is chosen',
    query: anything,
    responses: { 200: 'text/html' },
  }),
  linkPage: operation({
    id: 'link_page',
    group: 'pages',
    method: 'GET',
    path: '/link',
    access: anyone,
    summary: 'The page that an access link leads to, for a product without one of its own',
    query: anything,
    responses: { 200: 'text/html' },
  }),
  getOpenApi: operation({
    id: 'get_open_api',
    group: 'pages',
    method: 'GET',
    path: '/api/2/openapi.json',
    access: anyone,
    summary: 'This interface as an OpenAPI document',
    responses: { 200: anything },
  }),
}
