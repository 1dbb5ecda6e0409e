import { AuthService } from '@latchkey/construct'
import * as cdk from 'aws-cdk-lib'
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2'
import * as integrations from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { buildApp } from './build-app.cjs'

buildApp({ cdk, apigateway, integrations, AuthService }, 'cdk.out/esm')
