package dev.latchkey.auth;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin may know of the request that credentials came with: the client's address, the header fields, and the requested tenant. Never its body,
 * and never its URL, which ends up in logs.
 *
 * <p>Without a request it is {@link #none()}. Tests create one in a line:
 *
 * <pre>{@code
 * RequestContext.from("192.0.2.7").withTenant("emea").withHeader("X-Device", "laptop")
 * }</pre>
 *
 * <p>Valid only during the call that receives it, since a server may reuse its request objects: a plugin must not keep it. During that call it is
 * immutable and safe for use by any number of threads.
 */
public final class RequestContext {

    private static final int MAX_TENANT_LENGTH = 255;
    private static final RequestContext NONE = new RequestContext(Optional::empty, name -> List.of(), null);

    private final Supplier<Optional<String>> address;
    private final HeaderFields headers;
    private final @Nullable String tenant;

    private RequestContext(Supplier<Optional<String>> address, HeaderFields headers, @Nullable String tenant) {
        this.address = address;
        this.headers = headers;
        this.tenant = tenant;
    }

    /**
     * The context of credentials without a request, or with an unknown one.
     *
     * @return a context without address, header fields and tenant
     */
    public static RequestContext none() {
        return NONE;
    }

    /**
     * The context of a request from this address.
     *
     * @param address of the client, as far as the caller believes it; without a port
     * @return a context of this address alone
     */
    public static RequestContext from(String address) {
        Optional<String> known = Optional.of(address);
        return new RequestContext(() -> known, NONE.headers, null);
    }

    /**
     * The context of a request with these header fields.
     *
     * @param headers as the request has them; read when a plugin asks
     * @param address finds the client's address; called when a plugin asks for it
     * @return a context without a tenant
     */
    public static RequestContext of(HeaderFields headers, Supplier<Optional<String>> address) {
        return new RequestContext(Objects.requireNonNull(address), Objects.requireNonNull(headers), null);
    }

    /**
     * The same for this tenant: a realm or a customer, by which accounts of the same name are told apart.
     *
     * @param tenant for which {@link #isTenant} holds
     * @return another context; this one stays as it is
     */
    public RequestContext withTenant(String tenant) {
        if (!isTenant(tenant)) {
            throw new IllegalArgumentException("A tenant has 1 to " + MAX_TENANT_LENGTH
                    + " characters, is not blank and has no control characters");
        }
        return new RequestContext(address, headers, tenant);
    }

    /**
     * Whether {@link #withTenant} takes this text.
     *
     * @param text whatever somebody sent
     * @return {@code false} where it is blank, too long, or has control characters
     */
    public static boolean isTenant(String text) {
        return !text.isBlank()
                && text.length() <= MAX_TENANT_LENGTH
                && text.chars().noneMatch(Character::isISOControl);
    }

    /**
     * The same, with this header field in place of those of its name.
     *
     * @param name of the field, in any case
     * @param values one for each line; none takes the field away
     * @return another context; this one stays as it is
     */
    public RequestContext withHeader(String name, String... values) {
        List<String> given = List.of(values);
        HeaderFields others = headers;
        return new RequestContext(
                address, asked -> asked.equalsIgnoreCase(name) ? given : others.values(asked), tenant);
    }

    /**
     * The same without address and header fields, for caches whose entries depend on nothing but the tenant.
     *
     * @return a context that is equal for all requests of this tenant
     */
    public RequestContext tenantAlone() {
        return tenant == null ? NONE : NONE.withTenant(tenant);
    }

    /**
     * The client's IPv4 or IPv6 address, in the form of {@link java.net.InetAddress#getHostAddress()}. Behind proxies it is known if they are configured.
     *
     * @return empty where it is not known; never the address of a proxy, which all clients behind it share
     */
    public Optional<String> address() {
        return address.get();
    }

    /**
     * The header fields of the request; none where there is no request.
     *
     * @return where each field is looked up when it is asked for
     */
    public HeaderFields headers() {
        return headers;
    }

    /**
     * The requested tenant, which is not proved.
     *
     * @return empty where none was asked for
     */
    public Optional<String> tenant() {
        return Optional.ofNullable(tenant);
    }

    /** Without the header fields, which hold secrets. */
    @Override
    public String toString() {
        return "RequestContext[address=" + address().orElse("unknown") + ", tenant=" + tenant + "]";
    }
}
