package dev.latchkey.auth;

import dev.latchkey.auth.TicketPlugin.Ticket;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.util.List;
import java.util.Optional;

/** The contract kit, run by JUnit as a third party runs it, over a plugin that keeps the contract. */
class TicketPluginContractTest extends AuthPluginContract {

    @Override
    protected AuthPlugin newPlugin() {
        return new TicketPlugin();
    }

    @Override
    protected Credentials validCredentials() {
        return Ticket.of(TicketPlugin.VALID);
    }

    @Override
    protected Credentials wrongCredentials() {
        return Ticket.of(TicketPlugin.WRONG);
    }

    @Override
    protected List<String> secretTexts() {
        return List.of(TicketPlugin.VALID, TicketPlugin.WRONG);
    }

    @Override
    protected Optional<Credentials> credentialsWith(String text) {
        return Optional.of(Ticket.of(text));
    }

    @Override
    protected Optional<Credentials> credentialsOfUnknownAccount() {
        return Optional.of(Ticket.of("ticket-of-the-unknown"));
    }

    @Override
    protected Optional<RequestContext> requestWithValidCredentials() {
        return Optional.of(RequestContext.none().withHeader("X-Ticket", TicketPlugin.VALID));
    }

    @Override
    protected Optional<AuthPlugin> newPluginInOutage() {
        return Optional.of(new TicketPlugin() {
            @Override
            public Decision authenticate(Credentials credentials, RequestContext context) {
                throw AuthUnavailableException.outage("The ticket office does not answer");
            }
        });
    }
}
