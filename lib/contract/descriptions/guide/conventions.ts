import { bodyLimitBytes, listBytes } from '../../../limits/limits.ts'
import { exampleUrl } from '../example-values.ts'

const kilobytes = bodyLimitBytes / 1024
const listMegabytes = listBytes / 1024 / 1024

/** What holds for all operations, apart from errors. */
export const conventions = `## Lists

A list returns a JSON array. Without \`limit\`, a page has up to 1,000 entries and at most ${listMegabytes} MB. So small lists come in one
response. If more entries follow, the response has a \`Link\` header with the URL of the next page:

\`\`\`http
Link: <${exampleUrl}/api/2/users?limit=200&cursor=…>; rel="next"
\`\`\`

Follow it until a response has no such header:

\`\`\`js
const users = []
for (let url = '${exampleUrl}/api/2/users?limit=200'; url; ) {
  const response = await fetch(url, { headers: { authorization: \`Bearer \${session}\` } })
  users.push(...(await response.json()))
  url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
}
\`\`\`

- \`limit\` is the maximum number of entries, from 1 to 1,000. A page can have fewer although more follow.
- \`offset\` skips entries, up to 10,000. It is for clients that cannot read the header: add the number of entries that you
  got, until a page is empty.
- \`cursor\` is the position in the \`Link\` header. Do not build or change it. It works at any depth, for the same caller and the
  same filters.
- \`ordering\` names a field, such as \`name\`. With \`-\` before it, the order is descending. The default is \`id\`, unless the list
  says otherwise.

Filters are combined: an entry must match all of them.

## Requests and responses

- **Bodies** are JSON in UTF-8 with up to ${kilobytes} KiB, unless the operation says otherwise. Send \`Content-Type: application/json\`.
- **Unknown fields and parameters** are rejected with a 400 that names them, so that you notice typing errors.
- **Read-only fields** are ignored in requests. So you can read an object, change a field, and send it back.
- **PUT and PATCH.** \`PUT\` replaces an object: a field that you leave out gets its default. \`PATCH\` changes the fields that you
  send. In doubt, use \`PATCH\`.
- **Times** are ISO 8601 in UTC with milliseconds, such as \`2026-11-20T09:30:00.000Z\`. Requests can have any offset. A time
  without an offset is read as UTC.
- **IDs** are positive integers below 2,147,483,648. They are never used again after a deletion. Audit events have texts as
  IDs.
- **HEAD** works for each \`GET\` that changes nothing. It returns the same status and headers without the body.
- **Success** is 200 with a body, 204 without a body, and 303 for a redirect. A new object is a 201, and its path is in the
  \`Location\` header.
- **Request IDs.** Each response has the header \`X-Request-Id\`. Name it when you report a problem.
- **Caching.** Responses have \`Cache-Control: no-store\`. Do not cache them.

## Versions

The number in the path is the version of the interface. Within version 2, existing clients keep working: paths, fields,
error codes, reasons and names of audit events stay as they are. New operations, optional parameters, fields of responses,
error codes, reasons and audit events can be added. So ignore fields that you do not know, and treat an unknown \`code\`
by its status.`
