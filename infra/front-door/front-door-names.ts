/** CloudFront requires certificates, web ACLs and log deliveries in this region. */
export const frontDoorRegion = 'us-east-1'

/** What the name of the stack with the log and the alarms of the front door adds to that of the service. */
export const frontDoorLogSuffix = 'FrontDoorLog'
