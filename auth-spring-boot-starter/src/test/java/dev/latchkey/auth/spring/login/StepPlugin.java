package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginGrant;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Wants a code of everybody but bob, and takes tickets as a grant of its own. */
public final class StepPlugin implements AuthPlugin {

    public static final String CODE = "123456";

    static final String DEVICE = "device.1";

    /** How many codes were looked at. */
    public final AtomicInteger guesses = new AtomicInteger();

    /** Whether what it remembers devices in is there. */
    public final AtomicBoolean isUp = new AtomicBoolean(true);

    private record Ticket(String number) implements Credentials {}

    @Override
    public String name() {
        return "codes";
    }

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return kind == ChallengeResponse.class || kind == Ticket.class;
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        if (credentials instanceof Ticket ticket) {
            return ticket.number().equals("7")
                    ? Authenticated.as(Subject.of("guest").withClaim("seat", 7))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        ChallengeResponse given = (ChallengeResponse) credentials;
        guesses.incrementAndGet();
        return given.response().withText(CODE::contentEquals)
                ? given.challenge().soFar()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
        boolean isKnown = context.headers().values("X-Device").equals(List.of(DEVICE));
        return isKnown || login.subject().id().equals("bob")
                ? Optional.empty()
                : Optional.of(Challenged.by(login, "otp"));
    }

    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        if (!isUp.get()) {
            throw AuthUnavailableException.outage("Nothing is remembered now");
        }
        return Optional.of(new RememberedDevice(Secret.of(DEVICE), Duration.ofDays(1)));
    }

    @Override
    public Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return grant.type().equals("urn:example:ticket")
                ? grant.field("ticket").map(number -> new Ticket(number.withText(CharSequence::toString)))
                : Optional.empty();
    }
}
