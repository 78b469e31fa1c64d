package dev.latchkey.nacos.live;

import com.alibaba.nacos.plugin.auth.api.LoginIdentityContext;
import com.alibaba.nacos.plugin.auth.api.RequestResource;
import com.alibaba.nacos.plugin.auth.spi.client.AbstractClientAuthService;
import java.util.Properties;

/**
 * The client's own interface for credentials, with a token from elsewhere. The library sends the token in the usual place: as
 * {@code accessToken} with each request.
 */
public final class TokenOfAnIssuer extends AbstractClientAuthService {

    static final String PROPERTY = "test.token";

    private volatile String token = "";

    @Override
    public Boolean login(Properties properties) {
        token = properties.getProperty(PROPERTY, "");
        return true;
    }

    @Override
    public LoginIdentityContext getLoginIdentityContext(RequestResource resource) {
        LoginIdentityContext context = new LoginIdentityContext();
        if (!token.isEmpty()) {
            context.setParameter("accessToken", token);
        }
        return context;
    }

    @Override
    public void shutdown() {
        token = "";
    }
}
