package dev.latchkey.auth;

import static dev.latchkey.auth.ContractRun.answering;
import static dev.latchkey.auth.ContractRun.broken;
import static dev.latchkey.auth.ContractRun.valid;

import dev.latchkey.auth.TicketPlugin.Ticket;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Plugins that print, read, revoke or authorise wrongly, each with the rule of the kit that it breaks. */
final class BrokenManners {

    private BrokenManners() {}

    /** One rule, and a plugin that breaks it. */
    static Stream<Arguments> all() {
        return Stream.of(
                broken("secrets_areNeverPrinted", "toString with the last secret seen", () -> new TicketPlugin() {
                    private String last = "";

                    @Override
                    public Decision authenticate(Credentials credentials, RequestContext context) {
                        if (credentials instanceof Ticket ticket) {
                            last = ticket.secret().withText(CharSequence::toString);
                        }
                        return super.authenticate(credentials, context);
                    }

                    @Override
                    public String toString() {
                        return last;
                    }
                }),
                broken("secrets_areNeverPrinted", "logs at a level that is usually off", () -> {
                    return answering((plugin, credentials) -> {
                        if (credentials instanceof Ticket ticket) {
                            System.getLogger("ticket")
                                    .log(
                                            System.Logger.Level.TRACE,
                                            ticket.secret().<String>withText(CharSequence::toString));
                        }
                        return plugin.decide(credentials);
                    });
                }),
                broken("secrets_areNeverPrinted", "subject named after the secret in hexadecimal", () -> {
                    return answering((plugin, credentials) -> valid(credentials)
                            ? Authenticated.as(Subject.of("7469636b65742d6f662d6164612d31383135"))
                            : plugin.decide(credentials));
                }),
                broken(
                        "read_findsNothingInAnEmptyRequest",
                        "reads credentials out of nothing",
                        () -> new TicketPlugin() {
                            @Override
                            public Optional<Credentials> read(RequestContext context) {
                                return Optional.of(Ticket.of("none"));
                            }
                        }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "accounts without stamps", () -> {
                    return knowing(TicketPlugin.ADA, "hash", Authenticated.as(TicketPlugin.ADA));
                }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "stamps without accounts", () -> {
                    return answering(
                            (plugin, credentials) -> valid(credentials) ? stamped("hash") : plugin.decide(credentials));
                }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "stamp of something else", () -> {
                    return knowing(TicketPlugin.ADA, "hash", stamped("another"));
                }),
                broken("stamp_isThatOfTheAccount_andWhoHasAccountsGivesStamps", "somebody else's account", () -> {
                    return knowing(Subject.of("grace"), "hash", stamped("hash"));
                }),
                broken("read_takesAnyHeaderValue", "throws for a header value", () -> new TicketPlugin() {
                    @Override
                    public Optional<Credentials> read(RequestContext context) {
                        return context.headers().values("X-Ticket").stream()
                                .findFirst()
                                .map(Ticket::of);
                    }
                }),
                broken("read_findsValidCredentials", "never reads", () -> new TicketPlugin() {
                    @Override
                    public Optional<Credentials> read(RequestContext context) {
                        return Optional.empty();
                    }
                }),
                broken("read_overlooksNoFieldForItsTwoValues", "reads one value or none", () -> new TicketPlugin() {
                    @Override
                    public Optional<Credentials> read(RequestContext context) {
                        return context.headers().values("X-Ticket").size() == 1
                                ? super.read(context)
                                : Optional.empty();
                    }
                }),
                broken("authorize_alwaysAnswers", "null for what it does not know", () -> new TicketPlugin() {
                    @Override
                    public Access authorize(Subject subject, Permission permission) {
                        return subject.equals(TicketPlugin.ADA) ? Access.GRANTED : null;
                    }
                }),
                broken("authorize_alwaysAnswers", "throws for an odd permission", () -> new TicketPlugin() {
                    @Override
                    public Access authorize(Subject subject, Permission permission) {
                        return Access.valueOf(permission.action());
                    }
                }),
                broken("revoke_leavesAloneWhatProvesNobody", "claims to revoke anything", () -> new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        super.revoke(credentials);
                        return true;
                    }
                }),
                broken("revoke_leavesAloneWhatProvesNobody", "anybody logs everybody out", () -> new TicketPlugin() {
                    @Override
                    public boolean revoke(Credentials credentials) {
                        return super.revoke(Ticket.of(TicketPlugin.VALID)) && valid(credentials);
                    }
                }),
                broken(
                        "revokedCredentials_areNotAuthenticatedAnyMore",
                        "forgets revocations",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revoke(Credentials credentials) {
                                return valid(credentials);
                            }
                        }),
                broken(
                        "revokedCredentials_areNotAuthenticatedAnyMore",
                        "revokes and denies it",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revoke(Credentials credentials) {
                                super.revoke(credentials);
                                return false;
                            }
                        }),
                broken(
                        "revokedSubject_isNotAuthenticatedWithWhatWasIssuedBefore",
                        "forgets revocations",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revokeAll(String subjectId, Instant notBefore) {
                                return true;
                            }
                        }),
                broken(
                        "revokedSubject_isNotAuthenticatedWithWhatWasIssuedBefore",
                        "revokes everybody for one",
                        () -> new TicketPlugin() {
                            @Override
                            public boolean revokeAll(String subjectId, Instant notBefore) {
                                return super.revokeAll("ada", notBefore);
                            }
                        }),
                broken("closedPlugin_authenticatesNobody", "works on when closed", () -> new TicketPlugin() {
                    @Override
                    public void close() {}
                }),
                broken("closedPlugin_authenticatesNobody", "closes once only", () -> new TicketPlugin() {
                    private boolean closed;

                    @Override
                    public void close() {
                        if (closed) {
                            throw new IllegalStateException("closed");
                        }
                        closed = true;
                        super.close();
                    }
                }));
    }

    private static Authenticated stamped(String stamp) {
        return Authenticated.as(TicketPlugin.ADA).withStamp(Secret.of(stamp));
    }

    /** One that says this of valid tickets, and has this account with this stamp. */
    private static TicketPlugin knowing(Subject account, String stamp, Authenticated verdict) {
        return new TicketPlugin() {
            @Override
            public Decision authenticate(Credentials credentials, RequestContext context) {
                return valid(credentials) ? verdict : super.authenticate(credentials, context);
            }

            @Override
            public Optional<Account> account(String subjectId) {
                return subjectId.equals(ADA.id())
                        ? Optional.of(new Account(Authenticated.as(account), Secret.of(stamp)))
                        : Optional.empty();
            }
        };
    }
}
