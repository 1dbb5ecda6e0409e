import { buildClientFiles } from '../client/client-files.ts'
import { auditEventsPage } from './audit-events-page.ts'
import { decisionIndex } from './decision-index.ts'
import { errorCodesPage } from './error-codes-page.ts'
import { interfaceFile } from './interface-file.ts'
import { page } from './markdown.ts'
import { modelsPage } from './models-page.ts'
import { operationsPage, operationTable } from './operations-page.ts'
import { permissionsPage } from './permissions-page.ts'
import { rateLimitsPage } from './rate-limits-page.ts'
import { scopesPage } from './scopes-page.ts'
import { settingsPage } from './settings-page.ts'

/** Every generated page and source file, by its path. */
export const generatedPages = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/reference/operations.md', operationsPage()],
    ['docs/reference/models.md', modelsPage()],
    ['docs/reference/error-codes.md', errorCodesPage()],
    ['docs/reference/audit-events.md', auditEventsPage()],
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/rate-limits.md', rateLimitsPage()],
    ['docs/reference/permissions.md', permissionsPage()],
    ['docs/reference/scopes.md', scopesPage()],
    ['docs/reference/interface.json', interfaceFile()],
    ['docs/reference/README.md', indexPage()],
    ['docs/decisions/README.md', decisionIndex()],
    ...buildClientFiles(),
  ])

const indexPage = (): string =>
  page(
    'Reference',
    `These pages are generated from the code.

- [Operations](operations.md) and their [models](models.md)
- [Error codes and reasons](error-codes.md)
- [Audit events](audit-events.md)
- [Settings](settings.md)
- [Rate limits](rate-limits.md)
- [Permissions](permissions.md)
- [Scopes of API tokens](scopes.md)
- [The interface without texts](interface.json), in which a review sees each changed path, field and access`,
    '## All operations',
    operationTable(),
  )
