import * as z from 'zod/mini'
import { anyone } from '../../kernel/contract/access.ts'
import { describe } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { ReferenceIndex } from './reference.models.ts'

// Mail services add tracking parameters to links in emails. Pages accept and ignore them.
const anything = z.looseObject({})
const exampleHtml = docs && ({ 200: [{ summary: 'A page', value: '<!doctype html>…' }] } as const)

/** What the pages load, and the documents for machines. */
export const pagesFiles = {
  getScript: defineOperation({
    id: 'get_script',
    group: 'pages',
    method: 'GET',
    path: '/assets/js/{folder}/{name}',
    access: anyone,
    summary: 'Get a script of the pages',
    query: anything,
    responses: { 200: 'text/javascript', 304: null },
    errors: ['not_found'],
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description: `Returns a script of the pages. Its name contains a hash of its content, so browsers and CDNs keep it. A new version of the service
has other names.`,
        parameters: {
          folder: {
            description: 'The language of the page, and the version of all messages.',
            example: 'en-12ab34cd',
          },
          name: { description: 'The name that a page contains.', example: 'account-ABCDEFGH.js' },
        },
        responses: { 200: [{ summary: 'A script', value: 'export{};' }] },
      })),
  }),
  getStylesheet: defineOperation({
    id: 'get_stylesheet',
    group: 'pages',
    method: 'GET',
    path: '/assets/css/{name}',
    access: anyone,
    summary: 'Get a stylesheet of the pages',
    query: anything,
    responses: { 200: 'text/css', 304: null },
    errors: ['not_found'],
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Returns a stylesheet of the pages. Its name contains a hash of its content, so browsers and CDNs keep it.',
        parameters: {
          name: { description: 'The name that a page contains.', example: 'account-ABCDEFGH.css' },
        },
        responses: { 200: [{ summary: 'A stylesheet', value: 'body{margin:0}' }] },
      })),
  }),
  referencePage: defineOperation({
    id: 'reference_page',
    group: 'pages',
    method: 'GET',
    path: '/docs',
    access: anyone,
    summary: 'Show the guide of the API reference',
    query: anything,
    responses: { 200: 'text/html', 304: null },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Shows the guide to this service, with links to the pages of all operations, models and errors. It needs no credential. The setting
\`apiReference\` decides whether readers can also send calls from the pages, or turns them off, which makes this a 404.`,
        parameters: {},
        responses: exampleHtml,
      })),
  }),
  referenceTopicPage: defineOperation({
    id: 'reference_topic_page',
    group: 'pages',
    method: 'GET',
    path: '/docs/{topic}',
    access: anyone,
    summary: 'Show a topic of the API reference',
    query: anything,
    responses: { 200: 'text/html', 304: null },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Shows the operations of a topic, or all models, errors or response headers. `reference_page` links to all topics.',
        parameters: {
          topic: {
            description: 'The tag of the operations, or `models`, `errors` or `headers`.',
            example: 'tickets',
          },
        },
        responses: exampleHtml,
      })),
  }),
  guidePage: defineOperation({
    id: 'guide_page',
    group: 'pages',
    method: 'GET',
    path: '/docs/guides/{guide}',
    access: anyone,
    summary: 'Show a guide',
    query: anything,
    responses: { 200: 'text/html', 304: null },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Shows a page of the documentation, such as how to connect a product or what sessions are. `reference_page` links to all guides.',
        parameters: {
          guide: { description: 'The last part of the address of the guide.', example: 'getting-started' },
        },
        responses: exampleHtml,
      })),
  }),
  getReferenceIndex: defineOperation({
    id: 'get_reference_index',
    group: 'pages',
    method: 'GET',
    path: '/docs/search.json',
    access: anyone,
    summary: 'Get what the search of the API reference finds',
    responses: { 200: docs && ReferenceIndex, 304: null },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Returns each place of the reference with its address and its words. The search of the pages reads it.',
        parameters: {},
      })),
  }),
  getFavicon: defineOperation({
    id: 'get_favicon',
    group: 'pages',
    method: 'GET',
    path: '/favicon.ico',
    access: anyone,
    summary: 'Get the icon of the pages',
    query: anything,
    responses: { 200: 'image/x-icon' },
    // Browsers ask for images, and some of them only for formats that they prefer.
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Returns the icon that browsers show for the pages of the service. Browsers keep it for a week.',
        parameters: {},
        responses: { 200: [{ summary: 'An icon', value: '(binary)' }] },
      })),
  }),
  getRobots: defineOperation({
    id: 'get_robots',
    group: 'pages',
    method: 'GET',
    path: '/robots.txt',
    access: anyone,
    summary: 'Get the rules for crawlers',
    query: anything,
    responses: { 200: 'text/plain' },
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Returns the rules for crawlers (RFC 9309): no page of the service is for search engines.',
        parameters: {},
        responses: { 200: [{ summary: 'No page', value: 'User-agent: *\nDisallow: /\n' }] },
      })),
  }),
  getLicenses: defineOperation({
    id: 'get_licenses',
    group: 'pages',
    method: 'GET',
    path: '/licenses.txt',
    access: anyone,
    summary: 'Get the licenses of the scripts of the pages',
    query: anything,
    responses: { 200: 'text/plain' },
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description: 'Returns the licenses of the packages whose code is in the scripts of the pages.',
        parameters: {},
        responses: {
          200: [{ summary: 'The first lines', value: 'preact 11.0.0 (MIT)\n\nThe MIT License (MIT)\n' }],
        },
      })),
  }),
  getOpenApi: defineOperation({
    id: 'get_open_api',
    group: 'pages',
    method: 'GET',
    path: '/api/2/openapi.json',
    access: anyone,
    summary: 'Get the OpenAPI document of this interface',
    // 304 if `If-None-Match` names the current document.
    responses: { 200: docs && anything, 304: null },
    text:
      docs &&
      describe(() => ({
        description: `Returns this document: a description of all operations in the format OpenAPI 3.1. Generators make clients from it. It needs no
credential.`,
        parameters: {},
        responses: {
          200: [
            {
              summary: 'The start of the document',
              value: { openapi: '3.1.0', info: { title: 'Latchkey', version: '2' } },
            },
          ],
        },
      })),
  }),
}
