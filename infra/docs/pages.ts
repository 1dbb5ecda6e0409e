import { auditEventsPage } from './audit-events-page.ts'
import { errorCodesPage } from './error-codes-page.ts'
import { page } from './markdown.ts'
import { modelsPage } from './models-page.ts'
import { operationsPage, operationTable } from './operations-page.ts'
import { permissionsPage } from './permissions-page.ts'
import { rateLimitsPage } from './rate-limits-page.ts'
import { settingsPage } from './settings-page.ts'

/** Every page under `docs/reference`, by its file name. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ['operations.md', operationsPage()],
    ['models.md', modelsPage()],
    ['error-codes.md', errorCodesPage()],
    ['audit-events.md', auditEventsPage()],
    ['settings.md', settingsPage()],
    ['rate-limits.md', rateLimitsPage()],
    ['permissions.md', permissionsPage()],
    ['README.md', indexPage()],
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
- [Permissions](permissions.md)`,
    '## All operations',
    operationTable(),
  )
