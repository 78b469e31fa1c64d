package dev.latchkey.auth;

import static dev.latchkey.auth.ContractRun.answering;
import static dev.latchkey.auth.ContractRun.broken;
import static dev.latchkey.auth.ContractRun.holds;
import static dev.latchkey.auth.ContractRun.supporting;
import static dev.latchkey.auth.ContractRun.valid;

import dev.latchkey.auth.TicketPlugin.Ticket;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Plugins that decide wrongly, each with the rule of the kit that it breaks. */
final class BrokenDecisions {

    private BrokenDecisions() {}

    /** One rule, and a plugin that breaks it. */
    static Stream<Arguments> all() {
        return Stream.of(
                broken("name_isProperAndConstant", "improper name", () -> new TicketPlugin() {
                    @Override
                    public String name() {
                        return "Ticket Office";
                    }
                }),
                broken("name_isProperAndConstant", "name with a counter", () -> new TicketPlugin() {
                    private int calls;

                    @Override
                    public String name() {
                        return "ticket-" + calls++;
                    }
                }),
                broken("name_isProperAndConstant", "name per instance", () -> new TicketPlugin() {
                    @Override
                    public String name() {
                        return "ticket-" + System.identityHashCode(this);
                    }
                }),
                broken("validCredentials_areAuthenticatedAsTheSameSubjectEachTime", "subject per login", () -> {
                    return answering((plugin, credentials) -> valid(credentials)
                            ? Authenticated.as(Subject.of("login-" + System.nanoTime()))
                            : plugin.decide(credentials));
                }),
                broken("validCredentials_areAuthenticatedAsTheSameSubjectEachTime", "wipes what it was shown", () -> {
                    return answering((plugin, credentials) -> {
                        Decision decision = plugin.decide(credentials);
                        if (credentials instanceof Ticket ticket) {
                            ticket.secret().close();
                        }
                        return decision;
                    });
                }),
                broken("validUntil_isInTheFuture", "verdict that is over", () -> {
                    return answering((plugin, credentials) -> valid(credentials)
                            ? new Authenticated(TicketPlugin.ADA, Instant.EPOCH)
                            : plugin.decide(credentials));
                }),
                broken("wrongCredentials_areNeverAuthenticated", "everybody is welcome", () -> {
                    return answering((plugin, credentials) ->
                            credentials instanceof Ticket ? Authenticated.as(TicketPlugin.ADA) : Decision.abstained());
                }),
                broken("wrongCredentials_areNeverAuthenticated", "throws for wrong credentials", () -> {
                    return answering((plugin, credentials) -> {
                        if (plugin.decide(credentials) instanceof Rejected) {
                            throw new SecurityException("wrong ticket");
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("wrongCredentials_areNeverAuthenticated", "first success opens the door for all", () -> {
                    return new TicketPlugin() {
                        private volatile boolean open;

                        @Override
                        public Decision authenticate(Credentials credentials, RequestContext context) {
                            open |= valid(credentials);
                            return open && credentials instanceof Ticket
                                    ? Authenticated.as(TicketPlugin.ADA)
                                    : super.authenticate(credentials, context);
                        }
                    };
                }),
                broken("unknownAccount_isNeverAuthenticated", "null for an unknown account", () -> {
                    return answering((plugin, credentials) ->
                            holds(credentials, "ticket-of-the-unknown") ? null : plugin.decide(credentials));
                }),
                broken("unrecognized_isSpentOnAnybody_andChangesNothing", "throws for an empty password", () -> {
                    return new TicketPlugin() {
                        @Override
                        public void unrecognized(PasswordCredentials credentials) {
                            credentials.password().withText(text -> text.charAt(0));
                        }
                    };
                }),
                broken("unrecognized_isSpentOnAnybody_andChangesNothing", "closes when it meets a stranger", () -> {
                    return new TicketPlugin() {
                        @Override
                        public void unrecognized(PasswordCredentials credentials) {
                            close();
                        }
                    };
                }),
                broken("challenge_isAFieldValue_andConstant", "ends the field", () -> {
                    return new TicketPlugin() {
                        @Override
                        public Optional<String> challenge() {
                            return Optional.of("Ticket\r\nX: y");
                        }
                    };
                }),
                broken("credentialsOfAForeignKind_areLeftToTheNextPlugin", "judges what it does not know", () -> {
                    return answering((plugin, credentials) -> credentials instanceof Ticket
                            ? plugin.decide(credentials)
                            : Rejected.because(RejectionReason.MALFORMED));
                }),
                broken("credentialsOfAForeignKind_areLeftToTheNextPlugin", "class cast", () -> {
                    return answering((plugin, credentials) -> plugin.decide((Ticket) credentials));
                }),
                broken(
                        "supports_isTrueOfWhatThePluginDecides",
                        "supports another kind than it decides",
                        () -> supporting(kind -> kind == BearerToken.class)),
                broken(
                        "supports_isTrueOfWhatThePluginDecides",
                        "throws for a class",
                        () -> supporting(kind -> {
                            throw new IllegalArgumentException(kind.getName());
                        })),
                broken("kindThatIsNotSupported_isLeftToTheNextPlugin", "judges what it does not support", () -> {
                    return answering((plugin, credentials) -> credentials instanceof BearerToken
                            ? Rejected.because(RejectionReason.MALFORMED)
                            : plugin.decide(credentials));
                }),
                broken(
                        "kindThatIsNotSupported_isLeftToTheNextPlugin",
                        "revokes what it does not support",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revoke(Credentials credentials) {
                                return credentials instanceof BearerToken || super.revoke(credentials);
                            }
                        }),
                broken(
                        "kindThatIsNotSupported_isLeftToTheNextPlugin",
                        "another answer each time",
                        () -> new TicketPlugin() {
                            private boolean last;

                            @Override
                            public boolean supports(Class<? extends Credentials> kind) {
                                last = !last;
                                return last;
                            }
                        }),
                broken("hostileCredentials_areAnsweredWithAValue", "throws for empty credentials", () -> {
                    return answering((plugin, credentials) -> {
                        if (credentials instanceof Ticket ticket) {
                            ticket.secret().withText(text -> text.charAt(0));
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("hostileCredentials_areAnsweredWithAValue", "throws for a long password", () -> {
                    return answering((plugin, credentials) -> {
                        if (credentials instanceof PasswordCredentials p
                                && p.password().length() > 72) {
                            throw new IllegalArgumentException("too long");
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("hostileCredentials_areAnsweredWithAValue", "believes an unsigned token", () -> {
                    return answering((plugin, credentials) -> credentials instanceof BearerToken token
                                    && token.token()
                                            .withText(text -> text.toString().endsWith("."))
                            ? Authenticated.as(TicketPlugin.ADA)
                            : plugin.decide(credentials));
                }),
                broken("manyThreads_getTheSameAnswers", "bound to the thread that made it", () -> {
                    Thread maker = Thread.currentThread();
                    return answering((plugin, credentials) -> maker.equals(Thread.currentThread())
                            ? plugin.decide(credentials)
                            : Rejected.because(RejectionReason.BAD_CREDENTIALS));
                }));
    }
}
