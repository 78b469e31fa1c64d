package dev.latchkey.auth;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A plugin that keeps the whole contract, as small as that can be: tickets that stand in a table. */
class TicketPlugin implements AuthPlugin {

    static final String VALID = "ticket-of-ada-1815";
    static final String WRONG = "ticket-of-nobody-0";
    static final Subject ADA = Subject.of("ada").withAuthorities("ROLE_ADMIN");

    private final Map<String, Subject> tickets = new ConcurrentHashMap<>(Map.of(VALID, ADA));
    private final Set<String> revokedSubjects = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Proves its bearer, like a token, but is of a kind of its own. */
    record Ticket(Secret secret) implements Credentials {
        static Ticket of(String text) {
            return new Ticket(Secret.of(text));
        }
    }

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return kind == Ticket.class;
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        if (!(credentials instanceof Ticket ticket)) {
            return Decision.abstained();
        }
        return holder(ticket)
                .<Decision>map(Authenticated::as)
                .orElse(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Override
    public boolean revoke(Credentials credentials) {
        return credentials instanceof Ticket ticket
                && ticket.secret().withText(text -> tickets.remove(text.toString())) != null;
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        revokedSubjects.add(subjectId);
        return true;
    }

    @Override
    public Optional<Credentials> read(RequestContext context) {
        List<String> values = context.headers().values("X-Ticket");
        boolean isReadable = values.size() == 1 && values.get(0).chars().allMatch(c -> c > ' ' && c < 127);
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(Ticket.of(isReadable ? values.get(0) : "that nobody has"));
    }

    @Override
    public void close() {
        closed = true;
    }

    private Optional<Subject> holder(Ticket ticket) {
        if (closed) {
            return Optional.empty();
        }
        return Optional.<Subject>ofNullable(ticket.secret().withText(text -> tickets.get(text.toString())))
                .filter(subject -> !revokedSubjects.contains(subject.id()));
    }
}
