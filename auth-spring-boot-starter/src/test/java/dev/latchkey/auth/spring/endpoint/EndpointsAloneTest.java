package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.EndpointTranscript;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.AnswerText;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.EndpointPlay;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The endpoints decide by themselves what a client is answered: neither stack, nor Spring Security, adds to that. */
class EndpointsAloneTest {

    /** Limits, and claims of tokens, are no matter of the endpoints. */
    private static final Set<String> OF_OTHER_PARTS = Set.of(
            "oauthClient_seesLimits_withTheirHeaderFields",
            "sixthWrongPassword_is429",
            "wrongClientSecrets_lockNoClientOut_andCostNoLogin",
            "loginThatNobodyAskedFor_isNotThere",
            "introspection_knowsTokensOfThisServiceAlone_andNeedsNoHint",
            "tokenType_isWritten_andTokensOfAnotherTypeAreRefused");

    static List<EndpointTranscript> sections() throws Exception {
        return EndpointTranscript.sections()
                .filter(section -> !OF_OTHER_PARTS.contains(section.toString()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("sections")
    void transcript(EndpointTranscript transcript) throws Exception {
        assertThat(transcript.steps()).isNotEmpty();
        Accounts accounts = new Accounts();
        Alone service = new Alone(List.of(transcript.properties()), accounts);
        EndpointPlay.play(transcript, request -> AnswerText.of(service.send(request)), accounts::disable);
    }

    /** Endpoints, and a single resource that wants a token. */
    private static final class Alone {

        private final LoginParts parts;
        private final TokenHeader tokenHeader;
        private final List<AuthEndpoint> endpoints = new ArrayList<>();

        Alone(List<String> settings, Accounts accounts) {
            parts = new LoginParts(settings, (context, options) -> options, accounts);
            LatchkeyProperties properties = parts.properties();
            LatchkeyProperties.Login login = properties.login();
            tokenHeader = TokenHeader.of(properties);
            OAuthClients clients = new OAuthClients(login.clients(), List.of());
            TokenEndpoint tokens = new TokenEndpoint(login, clients, parts.login(), parts.refreshable());
            endpoints.add(tokens);
            endpoints.add(new LogoutEndpoint(login, tokenHeader, parts.revocation(), parts.plugins()));
            endpoints.add(new RevokeEndpoint(login, clients, parts.revocation()));
            if (login.path() != null) {
                endpoints.add(tokens.atSecondPath());
            }
            if (login.introspection()) {
                endpoints.add(new IntrospectEndpoint(login, clients, parts.inspection()));
            }
            String issuer = properties.jwt().issuer();
            if (issuer != null) {
                endpoints.add(new MetadataEndpoint(login, clients, issuer));
            }
            if (login.logins().enabled()) {
                endpoints.add(OwnLoginsEndpoint.ofList(properties, parts.own(), parts.plugins()));
                endpoints.add(OwnLoginsEndpoint.ofEnd(properties, parts.own(), parts.plugins()));
            }
        }

        Answer send(EndpointPlay.Request sent) {
            String[] target = sent.uri().split("\\?", 2);
            RequestContext context = contextOf(sent);
            for (AuthEndpoint endpoint : endpoints) {
                Matcher path = Pattern.compile(endpoint.path().replaceAll("\\{(\\w+)}", "(?<$1>[^/]+)"))
                        .matcher(target[0]);
                if (endpoint.serves(sent.method()) && path.matches()) {
                    Map<String, String> variables = path.groupCount() == 0 ? Map.of() : Map.of("id", path.group("id"));
                    int read = endpoint.readsBody() ? EndpointRequest.MAX_BODY_BYTES + 1 : 0;
                    byte[] body = Arrays.copyOf(sent.body(), Math.min(sent.body().length, read));
                    return answer(
                            endpoint,
                            new EndpointRequest(context, variables, target.length == 1 ? null : target[1], body));
                }
            }
            return resource(sent, target[0], context);
        }

        private static Answer answer(AuthEndpoint endpoint, EndpointRequest request) {
            try {
                return endpoint.answer(request);
            } catch (RuntimeException e) {
                return EndpointFailures.answerTo(e, endpoint, request);
            }
        }

        private Answer resource(EndpointPlay.Request sent, String path, RequestContext context) {
            PresentedCredentials.Found found =
                    PresentedCredentials.bearerOrOfPlugins(tokenHeader).in(context, parts.plugins());
            if (found.areSeveral()) {
                return Answer.of(Problem.BAD_REQUEST);
            }
            if (found.credentials() == null) {
                return Answer.of(sent.method().equals("GET") ? 401 : 403);
            }
            if (!(parts.plugins().authenticate(found.credentials(), context) instanceof Authenticated)) {
                return Answer.of(BearerChallenge.INVALID_TOKEN);
            }
            return Answer.of(path.equals("/hello") ? (sent.method().equals("GET") ? 200 : 405) : 404);
        }

        private static RequestContext contextOf(EndpointPlay.Request sent) {
            RequestContext context = RequestContext.from("127.0.0.1");
            for (String name : sent.headers().stream().map(Map.Entry::getKey).toList()) {
                context = context.withHeader(
                        name,
                        sent.headers().stream()
                                .filter(header -> header.getKey().equalsIgnoreCase(name))
                                .map(Map.Entry::getValue)
                                .toArray(String[]::new));
            }
            return context;
        }
    }
}
