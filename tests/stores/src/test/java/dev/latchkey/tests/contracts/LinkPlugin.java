package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Mailed links, each for one login: a source of one-time credentials, and a reader of a grant. */
class LinkPlugin implements LoginSource<LinkPlugin.Link>, GrantReader {

    static final String GRANT = "urn:example:mailed-link";

    final Mailbox mailbox;
    private volatile boolean closed;

    LinkPlugin(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    record Link(Secret text) implements Credentials {}

    @Override
    public String name() {
        return "links";
    }

    @Override
    public Class<Link> kind() {
        return Link.class;
    }

    @Override
    public Decision authenticate(Link link, RequestContext context) {
        String account = closed ? null : use(link.text().withText(CharSequence::toString));
        return account == null
                ? Rejected.because(RejectionReason.BAD_CREDENTIALS)
                : Authenticated.as(Subject.of(account));
    }

    String use(String text) {
        return mailbox.links.remove(text);
    }

    @Override
    public Set<String> grantTypes() {
        return Set.of(GRANT);
    }

    @Override
    public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
        return Optional.ofNullable(fields.get("link")).map(Link::new);
    }

    @Override
    public void close() {
        closed = true;
    }
}
