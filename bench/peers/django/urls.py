from django.contrib.auth import authenticate, get_user_model, login
from django.urls import path
from rest_framework.authentication import SessionAuthentication, TokenAuthentication
from rest_framework.generics import ListAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.serializers import ModelSerializer
from rest_framework.views import APIView


class UserSerializer(ModelSerializer):
    class Meta:
        model = get_user_model()
        fields = ["id", "username", "first_name", "last_name", "email", "is_active", "date_joined"]


class SignIn(APIView):
    authentication_classes = []

    def post(self, request):
        user = authenticate(request, username=request.data["username"], password=request.data["password"])
        if user is None:
            return Response(status=401)
        login(request, user)
        return Response(UserSerializer(user).data)


class WhoAmI(APIView):
    permission_classes = [IsAuthenticated]

    def get(self, request):
        return Response(UserSerializer(request.user).data)


class ById(CursorPagination):
    ordering = "id"


class Users(ListAPIView):
    permission_classes = [IsAuthenticated]
    authentication_classes = [TokenAuthentication]
    queryset = get_user_model().objects.all()
    serializer_class = UserSerializer
    pagination_class = ById


urlpatterns = [
    path("sign-in", SignIn.as_view()),
    path("session/me", WhoAmI.as_view(authentication_classes=[SessionAuthentication])),
    path("token/me", WhoAmI.as_view(authentication_classes=[TokenAuthentication])),
    path("users", Users.as_view()),
]
