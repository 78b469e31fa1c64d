package dev.latchkey.nacos;

import com.alibaba.nacos.auth.config.NacosAuthConfig;
import com.alibaba.nacos.auth.config.NacosAuthConfigHolder;
import com.alibaba.nacos.plugin.auth.api.AuthResult;
import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.api.Resource;
import com.alibaba.nacos.plugin.auth.constant.ActionTypes;
import com.alibaba.nacos.plugin.auth.constant.ApiType;
import com.alibaba.nacos.plugin.auth.constant.Constants.Identity;
import com.alibaba.nacos.plugin.auth.impl.constant.AuthConstants;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import com.alibaba.nacos.plugin.auth.spi.server.AuthPluginService;
import com.alibaba.nacos.sys.utils.ApplicationUtils;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The plugin that the server finds by its name {@value #NAME} and asks for each request, by HTTP and by gRPC.
 *
 * <p>The server's loader creates this object before the application context exists. Therefore the object has no state and
 * looks up the deciding bean at each call. Safe for use by any number of threads.
 */
public final class LatchkeyAuthPluginService implements AuthPluginService {

    /** The value of {@code nacos.core.auth.system.type}. */
    public static final String NAME = "latchkey";

    private static final List<String> IDENTITY_NAMES = List.of(
            ShownCredentials.AUTHORIZATION,
            ShownCredentials.ACCESS_TOKEN,
            ShownCredentials.USERNAME,
            ShownCredentials.PASSWORD);

    /** Called by the server's loader. */
    public LatchkeyAuthPluginService() {}

    @Override
    public String getAuthServiceName() {
        return NAME;
    }

    @Override
    public Collection<String> identityNames() {
        return IDENTITY_NAMES;
    }

    /** Checks every action on every resource. */
    @Override
    public boolean enableAuth(ActionTypes action, String type) {
        return true;
    }

    @Override
    public AuthResult<?> validateIdentity(IdentityContext context, Resource resource) {
        RequestDecisions decisions = decisions();
        return decisions.identify(context).fold(user -> {
            context.setParameter(AuthConstants.NACOS_USER_KEY, user);
            context.setParameter(Identity.IDENTITY_ID, user.getUserName());
            return AuthResult.successResult(user);
        });
    }

    @Override
    public AuthResult<?> validateAuthority(IdentityContext context, Permission permission) {
        Object user = context.getParameter(AuthConstants.NACOS_USER_KEY);
        return decisions()
                .authorize(user instanceof NacosUser known ? Optional.of(known) : Optional.empty(), permission)
                .fold(AuthResult::successResult);
    }

    @Override
    public boolean isLoginEnabled() {
        NacosAuthConfig console =
                NacosAuthConfigHolder.getInstance().getNacosAuthConfigByScope(ApiType.CONSOLE_API.name());
        return console != null && console.isAuthEnabled();
    }

    /** Whether the console should ask for the first administrator's password. */
    @Override
    public boolean isAdminRequest() {
        return NacosAuthConfigHolder.getInstance().isAnyAuthEnabled()
                && decisions().isFirstAdminMissing();
    }

    private static RequestDecisions decisions() {
        return ApplicationUtils.getBean(RequestDecisions.class);
    }
}
