package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The smallest plugin of three roles with the whole contract: tickets in a table. */
class TicketPlugin implements LoginSource<TicketPlugin.Ticket>, CredentialsReader, CredentialsRevoker {

    static final String VALID = "ticket-of-ada-1815";
    static final String OTHER = "ticket-of-grace-1906";
    static final String WRONG = "ticket-of-nobody-0";
    static final Subject ADA = Subject.of("ada").withAuthorities("ROLE_ADMIN");
    static final Instant ISSUED = Instant.parse("2026-11-21T12:00:00Z");

    private final Map<String, Subject> tickets =
            new ConcurrentHashMap<>(Map.of(VALID, ADA, OTHER, Subject.of("grace")));
    private final Map<String, Instant> revoked = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** A proof by possession, like a token, of a kind of its own. */
    record Ticket(Secret secret) implements Credentials {
        static Ticket of(String text) {
            return new Ticket(Secret.of(text));
        }

        String text() {
            return secret.withText(CharSequence::toString);
        }
    }

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public Class<Ticket> kind() {
        return Ticket.class;
    }

    @Override
    public Decision authenticate(Ticket ticket, RequestContext context) {
        return holder(ticket)
                .<Decision>map(Authenticated::as)
                .orElse(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Override
    public boolean revoke(Credentials credentials) {
        return credentials instanceof Ticket ticket && tickets.remove(ticket.text()) != null;
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        revoked.merge(subjectId, notBefore, (one, other) -> one.isAfter(other) ? one : other);
        return true;
    }

    @Override
    public Optional<Credentials> read(RequestContext context) {
        List<String> values = context.header("X-Ticket");
        boolean isReadable = values.size() == 1 && values.get(0).chars().allMatch(c -> c > ' ' && c < 127);
        return values.isEmpty() ? Optional.empty() : Optional.of(Ticket.of(isReadable ? values.get(0) : "no ticket"));
    }

    @Override
    public void close() {
        closed = true;
    }

    private Optional<Subject> holder(Ticket ticket) {
        return Optional.ofNullable(tickets.get(ticket.text()))
                .filter(subject -> !closed && !ISSUED.isBefore(revoked.getOrDefault(subject.id(), Instant.MIN)));
    }
}
