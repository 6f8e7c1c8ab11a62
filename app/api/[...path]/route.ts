import { answerNothing } from '@/lib/server/info'

export const dynamic = 'force-dynamic'

export const GET = answerNothing
export const POST = answerNothing
export const PUT = answerNothing
export const PATCH = answerNothing
export const DELETE = answerNothing
