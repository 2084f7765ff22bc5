import { type FieldError, parseBody } from '@croupier/contracts';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { guard } from './access/guard.ts';
import { proofRoutes } from './accounts/proof-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { secondFactorAdminRoutes } from './accounts/second-factor/admin-routes.ts';
import { ownSecondFactorRoutes } from './accounts/second-factor/own-routes.ts';
import { secondFactorSignInRoutes } from './accounts/second-factor/sign-in-routes.ts';
import { sessionListRoutes } from './accounts/session-list-routes.ts';
import { singleSignOnRoutes } from './accounts/single-sign-on/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { bonusListRoutes } from './bonus-list/routes.ts';
import { contactRuleRoutes } from './brands/contact-rules.ts';
import { brandRoutes } from './brands/routes.ts';
import { brandSettingsRoutes } from './brands/settings-routes.ts';
import { budgetChangeRoutes } from './budgets/change-routes.ts';
import { budgetRoutes } from './budgets/routes.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { backtestRoutes } from './campaigns/backtest-routes.ts';
import { campaignChangeRoutes } from './campaigns/change-routes.ts';
import { dryRunRoutes } from './campaigns/dry-run-routes.ts';
import { campaignEditingRoutes } from './campaigns/editing-routes.ts';
import { forecastRoutes } from './campaigns/forecast-routes.ts';
import { campaignResultRoutes } from './campaigns/results-routes.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { scenarioRoutes } from './campaigns/scenario-routes.ts';
import { campaignStepRoutes } from './campaigns/step-routes.ts';
import { channelReportRoutes } from './channels/reports.ts';
import { channelRoutes } from './channels/routes.ts';
import { numberSuppressionRoutes } from './channels/suppressions.ts';
import { channelTestRoutes } from './channels/test-route.ts';
import { contactabilityRoutes } from './compliance/contactability-routes.ts';
import { decisionRoutes } from './compliance/decision-routes.ts';
import { decisionExportRoutes } from './compliance/export-routes.ts';
import { policyRoutes } from './compliance/policy-routes.ts';
import { transitionRoutes } from './compliance/transition-routes.ts';
import { contradictionRoutes } from './contradictions/routes.ts';
import type { ConsoleDeps } from './deps.ts';
import { drawRoutes } from './draws/routes.ts';
import { emailRoutes } from './emails/routes.ts';
import { feedRoutes } from './feed/routes.ts';
import { eventTraitRoutes } from './feed/traits-routes.ts';
import { gameRoutes } from './games/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { latestRoutes } from './latest/routes.ts';
import { listRoutes } from './lists/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { messageActionRoutes } from './messages/action-routes.ts';
import { messageRoutes } from './messages/routes.ts';
import { sentMessageRoutes } from './messages/sent-routes.ts';
import { operatorTestRoutes } from './operator-tests/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { balanceRoutes } from './players/balance-routes.ts';
import { betRoutes } from './players/bet-routes.ts';
import { blockRoutes } from './players/block-routes.ts';
import { bonusRoutes } from './players/bonus-routes.ts';
import { cartRoutes } from './players/cart-routes.ts';
import { consentRoutes } from './players/consent-routes.ts';
import { effectRoutes } from './players/effect-routes.ts';
import { namedEventRoutes } from './players/named-event-routes.ts';
import { paymentRoutes } from './players/payment-routes.ts';
import { revealRoutes } from './players/reveal-routes.ts';
import { roundRoutes } from './players/round-routes.ts';
import { playerRoutes } from './players/routes.ts';
import { playerSearchRoutes } from './players/search-routes.ts';
import { sessionRoutes } from './players/session-routes.ts';
import { ticketRoutes } from './players/ticket-routes.ts';
import { timelineRoutes } from './players/timeline-routes.ts';
import { unsubscribeLinkRoutes } from './players/unsubscribe-link-routes.ts';
import { writeBackRoutes } from './players/write-back-routes.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { quarantineRoutes } from './quarantine/routes.ts';
import { rebuildRoutes } from './rebuilds/routes.ts';
import { reconciliationRoutes } from './reconciliations/routes.ts';
import { refusedCallRoutes } from './refused-calls/routes.ts';
import { intentActionRoutes } from './rewards/action-routes.ts';
import { intentRoutes } from './rewards/routes.ts';
import { rollupRoutes } from './rollups/routes.ts';
import { answerErrors } from './routing/answer-errors.ts';
import { basePath } from './routing/endpoint.ts';
import { Refused } from './routing/refused.ts';
import { wordsOfField } from './routing/wrong-fields.ts';
import { ruleRoutes } from './rules/routes.ts';
import { segmentationRoutes } from './segmentation/routes.ts';
import { segmentChangeRoutes } from './segments/change-routes.ts';
import { segmentDraftRoutes } from './segments/draft-routes.ts';
import { segmentRoutes } from './segments/routes.ts';
import { resyncRoutes } from './sync/resync-routes.ts';
import { syncRoutes } from './sync/routes.ts';
import { templateActionRoutes } from './templates/action-routes.ts';
import { templateCatalogRoutes } from './templates/catalog-route.ts';
import { templateRoutes } from './templates/routes.ts';
import { traitRoutes } from './traits/routes.ts';

/** The console API as a plugin; register it without a prefix. Guard, parser and error answers apply to its routes only. */
export function consoleRoutes(deps: ConsoleDeps): FastifyPluginAsync {
  return async (server) => {
    await server.register(
      async (app) => {
        takeExactJson(app);
        answerErrors(app);
        refuseEmptyIds(app);
        guard(app, deps);
        accountRoutes(app, deps);
        proofRoutes(app, deps);
        singleSignOnRoutes(app, deps);
        sessionListRoutes(app, deps);
        secondFactorSignInRoutes(app, deps);
        ownSecondFactorRoutes(app, deps);
        secondFactorAdminRoutes(app, deps);
        brandRoutes(app, deps);
        brandSettingsRoutes(app, deps);
        overviewRoutes(app, deps);
        liveRoutes(app, deps);
        playerRoutes(app, deps);
        playerSearchRoutes(app, deps);
        revealRoutes(app, deps);
        consentRoutes(app, deps);
        blockRoutes(app, deps);
        writeBackRoutes(app, deps);
        paymentRoutes(app, deps);
        roundRoutes(app, deps);
        bonusRoutes(app, deps);
        intentRoutes(app, deps);
        intentActionRoutes(app, deps);
        messageRoutes(app, deps);
        messageActionRoutes(app, deps);
        sentMessageRoutes(app, deps);
        emailRoutes(app, deps);
        channelRoutes(app, deps);
        channelTestRoutes(app, deps);
        contactRuleRoutes(app, deps);
        numberSuppressionRoutes(app, deps);
        channelReportRoutes(app, deps);
        listRoutes(app, deps);
        templateRoutes(app, deps);
        templateActionRoutes(app, deps);
        templateCatalogRoutes(app, deps);
        await app.register(async (files) => {
          takeFiles(files);
          mediaRoutes(files, deps);
        });
        pushRoutes(app, deps);
        cartRoutes(app, deps);
        sessionRoutes(app, deps);
        balanceRoutes(app, deps);
        namedEventRoutes(app, deps);
        betRoutes(app, deps);
        ticketRoutes(app, deps);
        timelineRoutes(app, deps);
        effectRoutes(app, deps);
        unsubscribeLinkRoutes(app, deps);
        gameRoutes(app, deps);
        drawRoutes(app, deps);
        traitRoutes(app);
        rollupRoutes(app, deps);
        feedRoutes(app, deps);
        eventTraitRoutes(app, deps);
        latestRoutes(app, deps);
        contradictionRoutes(app, deps);
        quarantineRoutes(app, deps);
        refusedCallRoutes(app, deps);
        historyRoutes(app, deps);
        rebuildRoutes(app, deps);
        syncRoutes(app, deps);
        operatorTestRoutes(app, deps);
        resyncRoutes(app, deps);
        reconciliationRoutes(app, deps);
        segmentationRoutes(app, deps);
        ruleRoutes(app, deps);
        segmentRoutes(app, deps);
        segmentDraftRoutes(app, deps);
        bulkRoutes(app, deps);
        campaignRoutes(app, deps);
        campaignChangeRoutes(app, deps);
        campaignEditingRoutes(app, deps);
        campaignStepRoutes(app, deps);
        scenarioRoutes(app, deps);
        dryRunRoutes(app, deps);
        backtestRoutes(app, deps);
        forecastRoutes(app, deps);
        campaignResultRoutes(app, deps);
        segmentChangeRoutes(app, deps);
        contactabilityRoutes(app, deps);
        decisionRoutes(app, deps);
        decisionExportRoutes(app, deps);
        transitionRoutes(app, deps);
        policyRoutes(app, deps);
        bonusListRoutes(app, deps);
        budgetRoutes(app, deps);
        budgetChangeRoutes(app, deps);
        keyRoutes(app, deps);
        privacyRoutes(app, deps);
        auditRoutes(app, deps);
      },
      { prefix: basePath },
    );
  };
}

/** The router ignores a slash at the end. So, without this check, `DELETE sessions/` with an empty id would end all sessions. */
function refuseEmptyIds(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, url }, reply) => {
    const [path = ''] = url.split('?');
    if (method === 'DELETE' && path.endsWith('/')) return reply.callNotFound();
  });
}

/** Accepts files as bytes, for the routes of this plugin only. Their type is detected from their content. */
function takeFiles(app: FastifyInstance): void {
  app.addContentTypeParser(
    /^(?:image\/|application\/octet-stream)/,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: string | Buffer) => body,
  );
}

/** Enough for a list of 200,000 user_ids. Callers are staff and automation, so no stricter limit is needed. */
const mostMembers = 250_000;

function malformed(error: FieldError): Refused {
  const message = wordsOfField(error);
  return new Refused('malformed_json', message, { errors: [{ ...error, message }] });
}

/**
 * Parses JSON only, without rounding numbers: the corrected body of a quarantined event is sent here, and its ids may be larger
 * than 2^53. Routes that need no body accept a call without one.
 */
function takeExactJson(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) => {
      if (text.length === 0) return undefined;
      request.bodyText = text.toString();
      const parsing = parseBody(request.bodyText, { members: mostMembers });
      if (!parsing.ok) throw malformed(parsing.error);
      return parsing.body;
    },
  );
}
