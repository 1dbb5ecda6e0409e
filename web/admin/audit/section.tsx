import { AuditLog } from './audit-log.tsx'

export const Section = () => <AuditLog />
