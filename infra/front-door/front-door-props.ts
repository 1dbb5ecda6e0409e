/** CloudFront requires certificates, web ACLs and log deliveries in this region. */
export const frontDoorRegion = 'us-east-1'

export const priceClasses = ['100', '200', 'all'] as const

/** CloudFront before the service. */
export interface FrontDoorProps {
  /** The ARN of an ACM certificate for the domain in us-east-1. */
  readonly certificateArn: string
  /** The ARN of a web ACL of AWS WAF in us-east-1, with the scope `CLOUDFRONT`. */
  readonly webAclArn?: string
  /** The edge locations of CloudFront, `100` (North America and Europe) by default. */
  readonly priceClass?: (typeof priceClasses)[number]
  /** The number of the secret that CloudFront sends, 1 by default. Raise it by 1 to rotate the secret. */
  readonly originSecretVersion?: number
  /** Whether requests past the front door are accepted while DNS names move to it. The default is false. */
  readonly allowDirectRequests?: boolean
}
