package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.AccountFull;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.LoginOutcome;
import dev.latchkey.auth.spring.login.NextStep;
import dev.latchkey.auth.spring.login.TokenLogin;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST} a name and a password as JSON or as a form, or what a grant of a plugin asks for, and get an access token. Where a plugin wants
 * another step, the answer is a 401 that says so ({@link StepAnswer}). The next {@code POST} then has its {@code continuation} and the {@code code};
 * with {@code remember_device} it may ask that the plugin remembers the device.
 *
 * <p>Where the account has as many logins as it may have and new ones are refused, the answer is a 409 with a type of its own. Only somebody who has
 * the right credentials is told that.
 *
 * <p>A page of another origin can post a form here, and gains nothing: no cookie is set and no session begun, so there is no login to forge, and the
 * page cannot read the answer. The body is bounded before it is parsed, nothing is taken from the URL, and every refusal for its credentials is the
 * same 401.
 */
final class LoginEndpoint implements TokenEndpoint {

    private final LatchkeyProperties.Login settings;
    private final TokenLogin login;

    LoginEndpoint(LatchkeyProperties.Login settings, TokenLogin login) {
        this.settings = settings;
        this.login = login;
    }

    @Override
    public String path() {
        return settings.path();
    }

    @Override
    public int maxBodyBytes() {
        return settings.maxBodyBytes();
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return request.withFields(
                maxBodyBytes(), fields -> answer(withNacosUsername(fields, request), request.context()));
    }

    private Answer answer(Map<String, String> fields, RequestContext context) {
        LoginRequest sent = new LoginRequest(fields);
        if (sent.isContinuation()) {
            return sent.response()
                    .map(response -> answer(goOn(sent, response, context)))
                    .orElseGet(() -> Answer.of(Problem.BAD_REQUEST));
        }
        if (!sent.isByPassword()) {
            return sent.grant()
                    .flatMap(grant -> login.read(grant, context))
                    .map(credentials -> answer(login.login(credentials, context)))
                    .orElseGet(() -> Answer.of(Problem.UNSUPPORTED_GRANT_TYPE));
        }
        return sent.credentials()
                .map(credentials -> answer(login.login(credentials, context)))
                .orElseGet(() -> Answer.of(Problem.BAD_REQUEST));
    }

    private Optional<LoginOutcome> goOn(LoginRequest sent, Map<String, Secret> response, RequestContext context) {
        return sent.isToBeRemembered()
                ? login.goOnAndRemember(sent.continuation(), response, context)
                : login.goOn(sent.continuation(), response, context);
    }

    private Answer answer(Optional<LoginOutcome> outcome) {
        return outcome.map(this::answer).orElseGet(() -> Answer.of(BearerChallenge.PLAIN));
    }

    private Answer answer(LoginOutcome outcome) {
        if (outcome instanceof AccountFull) {
            return Answer.of(Problem.TOO_MANY_LOGINS);
        }
        return outcome instanceof NextStep step
                ? StepAnswer.of(step)
                : LoginResponse.of(settings.response(), (IssuedTokens) outcome);
    }

    /** The clients of Nacos put the name, which is no secret, into the URL and the password into the body. */
    private Map<String, String> withNacosUsername(Map<String, String> fields, EndpointRequest request) {
        if (settings.response() != ResponseShape.NACOS || fields.containsKey("username")) {
            return fields;
        }
        Map<String, String> all = new HashMap<>(fields);
        request.query()
                .flatMap(query -> BodyFormat.FORM.read(query.getBytes(StandardCharsets.UTF_8)))
                .map(parameters -> parameters.get("username"))
                .ifPresent(username -> all.put("username", username));
        return all;
    }
}
