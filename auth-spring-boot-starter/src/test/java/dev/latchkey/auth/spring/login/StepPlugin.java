package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Wants a code of everybody but bob, and takes tickets as a grant of its own. */
public final class StepPlugin implements LoginSource<StepPlugin.Ticket>, LoginStep, GrantReader {

    public static final String CODE = "123456";

    static final String DEVICE = "device.1";

    static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    /** How many codes were looked at. */
    public final AtomicInteger guesses = new AtomicInteger();

    /** Whether what it remembers devices in is there. */
    public final AtomicBoolean isUp = new AtomicBoolean(true);

    record Ticket(String number) implements Credentials {}

    @Override
    public String name() {
        return "codes";
    }

    @Override
    public Class<Ticket> kind() {
        return Ticket.class;
    }

    @Override
    public Decision authenticate(Ticket ticket, RequestContext context) {
        return ticket.number().equals("7")
                ? Authenticated.as(Subject.of("guest").withClaim("seat", 7))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return login.subject().id().equals("bob") || login.plugin().equals(name())
                ? Optional.empty()
                : Optional.of(Challenged.by(login, "otp"));
    }

    @Override
    public boolean knowsDevice(Authenticated login, RequestContext context) {
        return context.header("X-Device").equals(List.of(DEVICE));
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        guesses.incrementAndGet();
        return response.code()
                        .filter(code -> code.withText(CODE::contentEquals))
                        .isPresent()
                ? Passed.step()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        if (!isUp.get()) {
            throw AuthUnavailableException.outage("Nothing is remembered now");
        }
        return Optional.of(new RememberedDevice(Secret.of(DEVICE), Duration.ofDays(1)));
    }

    @Override
    public Set<String> grantTypes() {
        return Set.of("urn:example:ticket", EXCHANGE);
    }

    @Override
    public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
        return Optional.ofNullable(fields.get("ticket"))
                .map(number -> new Ticket(number.withText(CharSequence::toString)));
    }
}
