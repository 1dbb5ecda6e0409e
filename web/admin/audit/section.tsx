import type { LoadedSection } from '../kit/section.ts'
import { AuditLog } from './audit-log.tsx'
import { eventMessages } from './events/messages.ts'
import { auditMessages } from './messages.ts'

export const section: LoadedSection = {
  load: async () => {
    await Promise.all([auditMessages.load(), eventMessages.load()])
  },
  Show: () => <AuditLog />,
}
